import { LanyapError } from "#client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../api/problem.ts";
import { useWrite } from "../../api/use.ts";
import { isSameText } from "../../core/same.ts";
import { Text } from "../../parts/fields/field.tsx";
import { Ask } from "./ask.tsx";

/** Says what is left to do once what somebody else has changed was read again: the service speaks of tags. */
const afterReading = (refused: Problem | null): Problem | null =>
  refused?.status === 412
    ? new LanyapError(refused.code, "Look at it, then press again.", { requestId: refused.requestId })
    : refused;

/** Asks before something is done that cannot be undone; if a name is given, it has to be typed. */
export const Confirm = ({
  title,
  action,
  name,
  children,
  work,
  onDone,
  onStale,
  onClose,
}: {
  title: string;
  action: string;
  name?: string;
  /** Says what is deleted with it. */
  children: ComponentChildren;
  work: () => Promise<unknown>;
  onDone: () => void;
  /** Reads again what somebody else has changed, so that it may be tried again. */
  onStale?: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [typed, setTyped] = useState("");
  const { run, isBusy, error } = useWrite();
  useEffect(() => {
    if (error?.status === 412) onStale?.();
  }, [error]);
  const isSure = name === undefined || isSameText(typed, name);
  const act = async (): Promise<void> => {
    const done = await run(async () => {
      await work();
      return true;
    });
    if (done) onDone();
  };
  return (
    <Ask
      title={title}
      action={action}
      isOff={!isSure}
      isBusy={isBusy}
      error={onStale ? afterReading(error) : error}
      onYes={() => void act()}
      onClose={onClose}
    >
      <div class="stack tight">{children}</div>
      {name !== undefined && (
        <Text
          label="Type its name to confirm"
          value={typed}
          onChange={setTyped}
          hint={<span dir="auto">{name}</span>}
          autoFocus
        />
      )}
    </Ask>
  );
};
