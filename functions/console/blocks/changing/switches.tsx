import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Badge, Status } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Stop, UNDONE, type Why } from "./stop.tsx";

/** Holds what is switched, and to what. */
export type Switch = { status: "active" | "inactive" } | { adsEnabled: boolean };

/**
 * Describes something with switches: how to switch it, and its present state. `ads` is undefined if there is no such
 * switch.
 */
export type Switched = {
  set: (to: Switch, why: Why) => Promise<unknown>;
  /** Shows the new state, before the service has confirmed it. */
  show: (to: Switch) => void;
  /** Shows the former state again, if the service refuses. */
  putBack: () => void;
  what: string;
  name: string;
  status: string;
  ads?: boolean | undefined;
};

const oppositeOf = (to: Switch): Switch =>
  "status" in to ? { status: to.status === "active" ? "inactive" : "active" } : { adsEnabled: !to.adsEnabled };

/** Returns the beginning of a sentence that ends with "on" or "off". */
const subjectOf = ({ name }: Switched, body: Switch): string =>
  "status" in body ? `${name} is` : `The ads of ${name} are`;

/** Shows the state of something, and switches it: off with a reason, on at once, both with a way back. */
export const Switches = ({
  of,
  mayWrite,
  onChanged,
}: {
  of: Switched;
  mayWrite: boolean;
  onChanged: () => void;
}): JSX.Element => {
  const [closing, setClosing] = useState<Switch | null>(null);
  const { run, isBusy, error } = useWrite();
  const back = (from: Switch) => async (): Promise<void> => {
    await of.set(oppositeOf(from), UNDONE);
    say("Undone.");
  };
  const on = async (body: Switch): Promise<void> => {
    of.show(body);
    if (!(await run(() => of.set(body, {})))) return of.putBack();
    // A site that was pending cannot become pending again.
    const isBack = !("status" in body) || of.status === "inactive";
    say(`${subjectOf(of, body)} on.`, isBack ? back(body) : undefined);
    return onChanged();
  };
  const isOn = of.status === "active";
  return (
    <div class="stack tight">
      <ul class="lines">
        <li>
          <span class="row">
            Status <Status of={of.status} />
          </span>
          {mayWrite && (
            <Button
              look="little"
              isOff={isBusy}
              onPress={() => (isOn ? setClosing({ status: "inactive" }) : void on({ status: "active" }))}
            >
              {isOn ? "Switch off …" : "Switch on"}
            </Button>
          )}
        </li>
        {of.ads !== undefined && (
          <li>
            <span class="row">
              Ads <Badge tone={of.ads ? "good" : "bad"}>{of.ads ? "On" : "Off"}</Badge>
            </span>
            {mayWrite && (
              <Button
                look="little"
                isOff={isBusy}
                onPress={() => (of.ads ? setClosing({ adsEnabled: false }) : void on({ adsEnabled: true }))}
              >
                {of.ads ? "Switch ads off …" : "Switch ads on"}
              </Button>
            )}
          </li>
        )}
      </ul>
      {error && <ProblemNote of={error} />}
      {closing && (
        <Stop
          title={"status" in closing ? `Switch off this ${of.what}?` : `Switch off the ads of this ${of.what}?`}
          action="Switch off"
          work={(why) => of.set(closing, why)}
          onClose={() => setClosing(null)}
          onDone={() => {
            setClosing(null);
            of.show(closing);
            say(`${subjectOf(of, closing)} off.`, back(closing));
            onChanged();
          }}
        >
          Within a minute or two, <strong dir="auto">{of.name}</strong> no longer shows offers. What was counted stays,
          and you can switch it on again at any time.
        </Stop>
      )}
    </div>
  );
};
