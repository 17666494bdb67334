import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { words } from "../../core/format.ts";
import { Button } from "../../parts/button.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Stop, UNDONE, type Why } from "./stop.tsx";

/** Names the states of an offer, a creative or an advertiser. */
export type State = "active" | "paused" | "archived";

/** Describes a change of state: the new state, its button, and the button to take it back if it stops something. */
type Change = { to: State; text: string; back?: string };

const PAUSE: Change = { to: "paused", text: "Pause", back: "start it again" };
const ARCHIVE: Change = { to: "archived", text: "Archive", back: "restore it" };
const CHANGES: Record<State, readonly Change[]> = {
  active: [PAUSE, ARCHIVE],
  paused: [{ to: "active", text: "Start" }, ARCHIVE],
  archived: [{ to: "paused", text: "Restore" }],
};

/** Switches what is active, paused or archived, each with a way back. Stopping something asks for a reason first. */
export const States = ({
  set,
  show,
  what,
  name,
  status,
  onChanged,
  children,
}: {
  set: (status: State, why: Why) => Promise<unknown>;
  /** Shows the new state, before the service has confirmed it. */
  show: (status: State) => void;
  what: string;
  name: string;
  status: State;
  onChanged: () => void;
  /** Says what nobody sees any more once it stops. */
  children: ComponentChildren;
}): JSX.Element => {
  const [stopping, setStopping] = useState<Change | null>(null);
  const { run, isBusy, error } = useWrite();
  const tell = (next: State): void => {
    say(`${name}: ${words(next).toLowerCase()}.`, async () => {
      await set(status, UNDONE);
      say("Undone.");
    });
    onChanged();
  };
  const start = async (next: State): Promise<void> => {
    show(next);
    if (await run(() => set(next, {}))) tell(next);
    else show(status);
  };
  return (
    <>
      {CHANGES[status].map((change, at) => (
        // Keyed by place, so that the pressed button keeps the focus when it becomes the way back.
        <Button
          key={at}
          look="little"
          isOff={isBusy}
          onPress={() => (change.back === undefined ? void start(change.to) : setStopping(change))}
        >
          {change.text}
          {change.back !== undefined && " …"}
        </Button>
      ))}
      {error && <ProblemNote of={error} />}
      {stopping && (
        <Stop
          title={`${stopping.text} this ${what}?`}
          action={stopping.text}
          work={(why) => set(stopping.to, why)}
          onDone={() => {
            setStopping(null);
            show(stopping.to);
            tell(stopping.to);
          }}
          onClose={() => setStopping(null)}
        >
          {status === "active" && <>{children} </>}What was counted stays, and you can {stopping.back} at any time.
        </Stop>
      )}
    </>
  );
};
