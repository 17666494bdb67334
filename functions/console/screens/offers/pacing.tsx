import type { Offer, PlannedCap } from "#client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useAnew, useRead } from "../../api/use.ts";
import { useChart } from "../../blocks/figures/use-chart.ts";
import { count, percent, utc } from "../../core/format.ts";
import { courseOf, sentenceOf } from "../../core/offers/pacing.ts";
import { AsTable } from "../../parts/as-table.tsx";
import { Bones } from "../../parts/bits.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

/** Sets up to what length a plan is drawn by hours, in milliseconds. */
const HOURLY_MS = 3 * 86_400_000;

const NAMES: Record<string, string> = { DAILY: "The plan for the day", LIFETIME: "The plan from start to end" };

const write = (value: number | null): string => count(value === null ? null : Math.round(value));

const CapPlan = ({ of: cap }: { of: PlannedCap }): JSX.Element => {
  const Chart = useChart();
  const now = useMemo(() => Date.now(), [cap]);
  const { times, planned, used } = useMemo(() => courseOf(cap, now), [cap, now]);
  const lines = useMemo(
    () => [
      { text: "Used", values: used, write, isJoined: true },
      { text: "Plan", values: planned, write, isJoined: true },
    ],
    [planned, used],
  );
  const name = NAMES[cap.cap] ?? cap.cap;
  const isHourly = Date.parse(cap.until ?? "") - Date.parse(cap.from) <= HOURLY_MS;
  return (
    <div class="stack tight" role="group" aria-label={name}>
      <p>
        <strong>{name}</strong>
        <span class="under">{sentenceOf(cap, now)}</span>
      </p>
      {Chart ? (
        <Chart days={times} lines={lines} isHourly={isHourly} label={`${name}; the table below has the numbers`} />
      ) : (
        <div class="chart" />
      )}
      <AsTable
        label={name}
        heads={["Until (UTC)", "Plan", "Used"]}
        rows={times.map((time, at) => ({
          name: utc(time).replace(" UTC", ""),
          cells: [write(planned[at] ?? null), write(used[at] ?? null)],
        }))}
      />
    </div>
  );
};

/** Draws the planned and the actual use of the caps of an offer of pacing EVEN; nothing for any other offer. */
export const Pacing = ({ of }: { of: Offer }): JSX.Element | null => {
  const isEven = of.pacing === "EVEN";
  const { data, error, reload } = useRead(isEven ? "getOfferPacing" : null, of.id);
  useAnew(of.updatedAt, reload);
  if (!isEven) return null;
  if (error) return <ProblemNote of={error} retry={reload} />;
  if (!data) return <Bones lines={4} />;
  return (
    <div class="stack">
      {data.caps.map((cap) => cap.planned !== null && <CapPlan key={cap.cap} of={cap} />)}
      <p class="muted small">
        {data.basis === "TRAFFIC"
          ? "The plan follows its usual traffic, for each hour of the week."
          : "The plan follows the clock, until its usual traffic is known."}
        {data.share !== null && ` ${percent(data.share)} of sessions may see it now.`}
      </p>
    </div>
  );
};
