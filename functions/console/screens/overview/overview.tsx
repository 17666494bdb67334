import { dayParameter } from "../../../core/days.ts";
import type { Overview, OverviewRanks } from "#client";
import type { JSX } from "preact";
import { useRead } from "../../api/use.ts";
import { DailyChart, Delta } from "../../blocks/figures.tsx";
import { figuresOf, isNothing } from "../../core/reports/figures.ts";
import { Bones, Empty } from "../../parts/bits.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Attention } from "./attention.tsx";
import { Find } from "./find.tsx";
import { Ranks } from "./ranks.tsx";

/** Shows this day against the same hours a week ago. */
const Today = ({ data }: { data: Overview | null }): JSX.Element => {
  const nothing = { requests: 0, impressions: 0, viewable: 0, clicks: 0, conversions: 0 };
  const figures = figuresOf(data?.today ?? nothing);
  return (
    <section class="stack tight" aria-label="Today">
      <div class="row spread">
        <h2>Today</h2>
        <span class="muted small">UTC day so far, against the same hours a week ago</span>
      </div>
      <dl class="tiles">
        {figures.map((figure) => (
          <div class="tile" key={figure.key}>
            <dt>{figure.text}</dt>
            <dd>
              {data ? figure.write(figure.of(data.today)) : <span class="bone" />}
              {data && (
                <div>
                  <Delta now={figure.of(data.today)} before={figure.of(data.lastWeek)} than="" />
                </div>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const Month = (): JSX.Element => {
  const now = Date.now();
  const { data, error, reload } = useRead("getReport", {
    reportType: "TOTAL",
    breakdownBy: "DAY",
    fill: true,
    dateStart: dayParameter(now, 29),
    dateEnd: dayParameter(now),
  });
  return (
    <Card title="The last 30 days">
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={9} />}
      {data && isNothing(data) && (
        <Empty title="Nothing was counted yet">
          <p>
            Figures come as soon as a shop’s page asks for offers. A placement has the lines to paste there; in test
            mode it shows samples and counts nothing.
          </p>
          <a class="button" href="/console/placements">
            Go to placements
          </a>
        </Empty>
      )}
      {data && !isNothing(data) && (
        <DailyChart rows={data} figures={figuresOf(data.find(({ revenue }) => revenue !== undefined) ?? data[0]!)} />
      )}
    </Card>
  );
};

/** Lists the worst without the best: where there are few, they are the same, which says nothing. */
const worstOf = (ranking: OverviewRanks | undefined) =>
  ranking?.worst.filter(({ id }) => !ranking.best.some((row) => row.id === id));

/** Shows how the day goes, what needs attention, and the best and worst of the week. */
export const OverviewScreen = (): JSX.Element => {
  const { data, error, reload } = useRead("getOverview");
  return (
    <Page
      title="Overview"
      actions={
        <button type="button" class="button" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Find />
      {error && <ProblemNote of={error} retry={reload} />}
      <Today data={data} />
      <Attention found={data} />
      <Month />
      <div class="columns">
        <Ranks title="Best placements" path="placements" rows={data?.placements.best} />
        <Ranks title="Worst placements" path="placements" rows={worstOf(data?.placements)} isWorst />
        <Ranks title="Best offers" path="offers" rows={data?.offers.best} />
        <Ranks title="Worst offers" path="offers" rows={worstOf(data?.offers)} isWorst />
      </div>
    </Page>
  );
};
