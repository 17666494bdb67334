import type { FunctionComponent, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Bones } from "../parts/bits.tsx";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";

const Failed = ({ isTrying, onRetry }: { isTrying: boolean; onRetry: () => void }): JSX.Element => (
  <Page title="This screen could not be loaded">
    <div class="note bad row spread" role="alert">
      You may be offline, or the service may have been updated. If trying again does not help, reload the page.
      <div class="row">
        <Button isOff={isTrying} onPress={onRetry}>
          {isTrying ? "Trying …" : "Try again"}
        </Button>
        <button type="button" class="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    </div>
  </Page>
);

/**
 * Loads a screen when it is first shown. If it cannot be, since the user is offline or the service was updated, it is
 * loaded again when they ask for it. Some browsers remember that a script could not be loaded until the page is
 * reloaded, which is offered, too.
 */
export const later = (load: () => Promise<FunctionComponent>): FunctionComponent => {
  let loaded: FunctionComponent | null = null;
  return () => {
    const [Screen, setScreen] = useState<FunctionComponent | null>(() => loaded);
    const [state, setState] = useState<"loading" | "failed" | "trying">("loading");
    useEffect(() => {
      if (Screen || state === "failed") return undefined;
      let isOver = false;
      const show = async (): Promise<void> => {
        try {
          loaded = await load();
          if (!isOver) setScreen(() => loaded);
        } catch {
          if (!isOver) setState("failed");
        }
      };
      void show();
      return () => {
        isOver = true;
      };
    }, [state]);
    if (Screen) return <Screen />;
    if (state === "loading") return <Bones lines={6} />;
    return <Failed isTrying={state === "trying"} onRetry={() => setState("trying")} />;
  };
};
