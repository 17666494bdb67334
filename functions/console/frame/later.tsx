import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Bones } from "../parts/bits.tsx";

/**
 * Loads a screen when it is first shown. If it is gone because the service was updated, the user is asked to reload.
 */
export const later = (load: () => Promise<FunctionComponent>): FunctionComponent => {
  let loaded: FunctionComponent | null = null;
  return () => {
    const [Screen, setScreen] = useState<FunctionComponent | null>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Screen) return undefined;
      let isOver = false;
      const show = async (): Promise<void> => {
        try {
          loaded = await load();
          if (!isOver) setScreen(() => loaded);
        } catch {
          setFailed(true);
        }
      };
      void show();
      return () => {
        isOver = true;
      };
    }, []);
    if (hasFailed) {
      return (
        <div class="note bad row spread" role="alert">
          This part of the console could not be loaded. The service may have been updated, or you are offline.
          <button type="button" class="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </div>
      );
    }
    return Screen ? <Screen /> : <Bones lines={6} />;
  };
};
