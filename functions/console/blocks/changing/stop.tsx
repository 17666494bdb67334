import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Text } from "../../parts/field.tsx";
import { Ask } from "./ask.tsx";

/** Holds why something was switched, as the API takes it. It has no member where nothing was given. */
export type Why = { reason?: string };

/** Says why something was switched back by a press on "Undo". */
export const UNDONE: Why = { reason: "Undone in the console" };

/** Asks why something stops, and stops it. A reason may be left out. */
export const Stop = ({
  title,
  action,
  children,
  work,
  onDone,
  onClose,
}: {
  title: string;
  action: string;
  /** Says what comes of it. */
  children: ComponentChildren;
  /** Stops it; where there is none, `onDone` does. */
  work?: (why: Why) => Promise<unknown>;
  onDone: (why: Why) => void;
  onClose: () => void;
}): JSX.Element => {
  const [typed, setTyped] = useState("");
  const { run, isBusy, error } = useWrite();
  const stop = async (): Promise<void> => {
    const reason = typed.trim();
    const why = reason === "" ? {} : { reason };
    const done = await run(async () => {
      await work?.(why);
      return true;
    });
    if (done) onDone(why);
  };
  return (
    <Ask
      title={title}
      action={action}
      isBusy={isBusy}
      error={error}
      isTyped={typed.trim() !== ""}
      onYes={() => void stop()}
      onClose={onClose}
    >
      <p>{children}</p>
      <Text
        label="Reason"
        hint="Kept with the change, for whoever asks later"
        value={typed}
        onChange={setTyped}
        rows={2}
        maxLength={2_000}
      />
    </Ask>
  );
};
