import type { Overview, OverviewRanks } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAnew, useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { Daily, useLastDays } from "../../blocks/figures/daily.tsx";
import { Tiles } from "../../blocks/figures/tiles.tsx";
import { expected, figuresOf, sumOf } from "../../core/reports/figures.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useUndone } from "../../parts/undone.ts";
import { Attention } from "./attention.tsx";
import { Find } from "./find.tsx";
import { Ranks } from "./ranks.tsx";

/** Shows this day, compared with the same hours a week ago. */
const Today = ({ data }: { data: Overview | null }): JSX.Element => {
  const { revenueAccess } = useWho();
  return (
    <section class="stack tight" aria-label="Today">
      <div class="row spread">
        <h2>Today</h2>
        <span class="muted small">UTC day so far, against the same hours a week ago</span>
      </div>
      <Tiles
        figures={figuresOf(data?.today ?? expected(revenueAccess, true))}
        of={data && data.today}
        compared={data && { now: data.today, before: data.lastWeek }}
      />
    </section>
  );
};

const Month = ({ turn }: { turn: number }): JSX.Element => {
  const read = useLastDays();
  useAnew(turn, read.reload);
  return (
    <Daily of={read} figures={figuresOf(sumOf(read.data ?? []))}>
      <p>
        Figures appear as soon as a shop’s page asks for offers. A placement has the lines to paste there; in test mode
        it shows samples and counts nothing.
      </p>
      <a class="button" href="/console/placements">
        Go to placements
      </a>
    </Daily>
  );
};

/** Lists the worst, without those that are also among the best: where there are few, both would be the same. */
const worstOf = (ranking: OverviewRanks | undefined) =>
  ranking?.worst.filter(({ id }) => !ranking.best.some((row) => row.id === id));

/** Shows how the day is going, what needs attention, and the best and worst of the week. */
export const OverviewScreen = (): JSX.Element => {
  const { data, error, reload } = useRead("getOverview");
  // This counts how often everything was asked for again.
  const [turn, setTurn] = useState(0);
  useAnew(turn, reload);
  useUndone(() => setTurn((n) => n + 1));
  // What could not be read is not shown as if it were still loading.
  const isComing = data !== null || !error;
  return (
    <Page
      title="Overview"
      actions={
        <button type="button" class="button" onClick={() => setTurn(turn + 1)}>
          Refresh
        </button>
      }
    >
      <Find />
      {error && <ProblemNote of={error} retry={reload} />}
      {isComing && <Today data={data} />}
      {isComing && <Attention found={data} turn={turn} />}
      <Month turn={turn} />
      {isComing && (
        <div class="columns">
          <Ranks title="Best placements, last 7 days" path="placements" rows={data?.placements.best} />
          <Ranks title="Worst placements, last 7 days" path="placements" rows={worstOf(data?.placements)} isWorst />
          <Ranks title="Best offers, last 7 days" path="offers" rows={data?.offers.best} />
          <Ranks title="Worst offers, last 7 days" path="offers" rows={worstOf(data?.offers)} isWorst />
        </div>
      )}
    </Page>
  );
};
