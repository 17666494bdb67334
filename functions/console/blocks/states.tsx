import type { JSX } from "preact";
import { useWrite } from "../api/use.ts";
import { words } from "../core/format.ts";
import { Button } from "../parts/button.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { say } from "../parts/toasts.tsx";

/** Names how an offer, a creative or an advertiser may stand. */
export type State = "active" | "paused" | "archived";

const CHANGES: Record<State, readonly (readonly [State, string])[]> = {
  active: [
    ["paused", "Pause"],
    ["archived", "Archive"],
  ],
  paused: [
    ["active", "Start"],
    ["archived", "Archive"],
  ],
  archived: [["paused", "Take out of the archive"]],
};

/** Switches what is active, paused or archived, each with a way back. */
export const States = ({
  set,
  show,
  name,
  status,
  onChanged,
}: {
  set: (status: State) => Promise<unknown>;
  /** Shows it as it will be, before the service has said so. */
  show: (status: State) => void;
  name: string;
  status: State;
  onChanged: () => void;
}): JSX.Element => {
  const { run, isBusy, error } = useWrite();
  const change = async (next: State): Promise<void> => {
    show(next);
    if (!(await run(() => set(next)))) return show(status);
    say(`${name}: ${words(next).toLowerCase()}.`, () => set(status).finally(onChanged));
    return onChanged();
  };
  return (
    <>
      {CHANGES[status].map(([next, text], at) => (
        // By their place, so that the one that was pressed keeps the focus when it becomes the way back.
        <Button key={at} look="little" isOff={isBusy} onPress={() => void change(next)}>
          {text}
        </Button>
      ))}
      {error && <ProblemNote of={error} />}
    </>
  );
};
