import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Text } from "../../parts/fields/field.tsx";
import { Ask } from "./ask.tsx";

/** Holds the reason of a switch, as the API takes it. It has no member if none was given. */
export type Why = { reason?: string };

/** Gives the reason for switching something back with "Undo". */
export const UNDONE: Why = { reason: "Undone in the console" };

/** Asks why something is to stop, and stops it. The reason may be left out. */
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
  /** Says what will happen. */
  children: ComponentChildren;
  /** Stops it; if this is missing, `onDone` does. */
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
