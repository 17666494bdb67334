import type { Difference, ExperimentArm, Gain } from "#client";
import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { NamedChip } from "../../blocks/named-chip.tsx";
import { addressOf, readFilters } from "../../core/filters.ts";
import { count, dollars, percent, words } from "../../core/format.ts";
import { apiDay, periodOf } from "../../core/reports/period.ts";
import { Bones, Copy } from "../../parts/bits.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { MoneyNote, Tabs } from "./tabs.tsx";
import { Days } from "./tools.tsx";

const ABOUT: Record<string, string> = {
  learned: "offers ordered by what was learned",
  holdout: "held out: the order before learning",
  random: "learned offers, in random order",
};

type Row = ExperimentArm & { id: string };

const columnsOf = (arms: readonly ExperimentArm[]): Column<Row>[] => {
  const number = (title: string, cell: Column<Row>["cell"]): Column<Row> => ({ title, cell, isNumber: true });
  return [
    {
      title: "Sessions",
      cell: ({ arm }) => (
        <>
          {words(arm)}
          <span class="under">{ABOUT[arm]}</span>
        </>
      ),
    },
    number("Requests", ({ requests }) => count(requests)),
    number("Fill", ({ fillRate }) => percent(fillRate)),
    number("Impressions", ({ impressions }) => count(impressions)),
    number("CTR", ({ ctr }) => percent(ctr)),
    number("Conversions", ({ conversions }) => count(conversions)),
    ...(arms.some(({ revenuePerThousand }) => revenuePerThousand !== undefined)
      ? [number("Revenue per 1,000 requests", ({ revenuePerThousand }) => dollars(revenuePerThousand))]
      : []),
    ...(arms.some(({ grossPerThousand }) => grossPerThousand !== undefined)
      ? [number("Owed per 1,000 requests", ({ grossPerThousand }) => dollars(grossPerThousand))]
      : []),
  ];
};

const Interval = ({ title, of }: { title: string; of: Difference | null }) => (
  <div class="tile">
    <dt>{title}</dt>
    <dd>
      {dollars(of?.difference)}
      <div class="delta">
        95% between {dollars(of?.low)} and {dollars(of?.high)}
      </div>
    </dd>
  </div>
);

const Answer = ({ title, gain }: { title: string; gain: Gain | undefined }) =>
  gain ? (
    <Card title={title}>
      <div class="stack">
        <p>{gain.summary}</p>
        {gain.perThousand && (
          <dl class="tiles">
            <Interval title="More per thousand requests" of={gain.perThousand} />
            <Interval title="More in all" of={gain.inAll} />
          </dl>
        )}
      </div>
    </Card>
  ) : null;

/** Shows how much more learning earned than the order from before it, and how certain that is. */
export const Learning = (): JSX.Element => {
  const who = useWho();
  const { path, query, route } = useLocation();
  const filters = readFilters(query, ["from", "to", "publisherId"]);
  const { publisherId } = filters;
  const period = periodOf(filters, Date.now());
  const { data, error, isOld, reload } = useRead("getExperiment", {
    publisherId,
    dateStart: apiDay(period.from),
    dateEnd: apiDay(period.to),
  });
  return (
    <Page
      title="What learning earned"
      actions={
        <Copy text={location.origin + addressOf(path, { ...period, publisherId })} what="Copy link" isShown={false} />
      }
    >
      <Tabs />
      <MoneyNote who={who} />
      <section class="card" aria-label="Days">
        <div class="tools">
          <Days period={period} onChange={(days) => route(addressOf(path, { ...days, publisherId }), true)} />
          {publisherId && (
            <NamedChip what="publisher" id={publisherId} onRemove={() => route(addressOf(path, { ...period }), true)} />
          )}
        </div>
        <p class="inside muted small">
          The interval holds however often you look, for one first day. Whoever tries many first days and takes the best
          is misled by any interval.
        </p>
      </section>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={8} />}
      {data && (
        <div class={isOld ? "stack is-loading" : "stack"} aria-busy={isOld}>
          <Answer title="Revenue of publishers" gain={data.revenue} />
          <Answer title="What advertisers owe" gain={data.gross} />
          <Card title="Experiment arms" isFlush>
            <Table
              label="Experiment arms"
              rows={data.arms.map((arm) => ({ ...arm, id: arm.arm }))}
              columns={columnsOf(data.arms)}
            />
          </Card>
        </div>
      )}
    </Page>
  );
};
