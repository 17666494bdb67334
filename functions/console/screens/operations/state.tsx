import type { CronDuty, Kept, Operating } from "#client";
import type { JSX } from "preact";
import { useRead } from "../../api/use.ts";
import { count, plural } from "../../core/format.ts";
import { isCronLate } from "../../core/late.ts";
import { Badge, Time } from "../../parts/bits.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Watched } from "./watched.tsx";

const MINUTES = 5;

const KINDS: Record<Kept["kind"], string> = {
  impressions: "Impressions, views and closes",
  clicks: "Clicks",
  conversions: "Conversions",
  rejects: "Rejected messages",
  flushes: "Flushes of request counts",
  audit: "Audit",
};

type Named<Row> = Row & { id: string };

const DUTIES: readonly Column<Named<CronDuty>>[] = [
  { title: "Duty", cell: ({ name }) => name.replace(/^./, (first) => first.toUpperCase()) },
  {
    title: "Ended",
    cell: ({ isRunning, endedAt }) =>
      isRunning ? (
        <Badge tone="good">Under way</Badge>
      ) : (
        <>
          <Time at={endedAt} /> {endedAt && isCronLate(endedAt, Date.now()) && <Badge tone="bad">Late</Badge>}
        </>
      ),
  },
];

const RETENTION: readonly Column<Named<Kept>>[] = [
  { title: "Rows", cell: ({ kind }) => KINDS[kind] },
  { title: "Kept for", cell: ({ days }) => <span class="nowrap">{plural(days, "day")}</span> },
  { title: "Oldest", cell: ({ oldestAt }) => (oldestAt ? <Time at={oldestAt} /> : <span class="muted">None</span>) },
];

const Facts = ({ of: { hits, version } }: { of: Operating }): JSX.Element => (
  <dl class="facts">
    <dt>Hits stored</dt>
    <dd>
      <strong>{count(Math.round(hits.lastFiveMinutes / MINUTES))}</strong> a minute
      <span class="under">{count(hits.lastFiveMinutes)} in the last five minutes</span>
    </dd>
    <dt>Latest hit</dt>
    <dd>
      <Time at={hits.lastAt} />
    </dd>
    <dt>Version</dt>
    <dd>
      {version.service}
      {version.deployment && (
        <span class="under">
          Deployment <code>{version.deployment.id}</code> {version.deployment.tag}{" "}
          {version.deployment.createdAt && <Time at={version.deployment.createdAt} />}
        </span>
      )}
    </dd>
  </dl>
);

/** Shows what is stored, what the cron did, how long rows are kept, and which version is running. */
export const State = (): JSX.Element => {
  const { data, error, isLoading, reload } = useRead("getOperations");
  return (
    <Watched
      title="Storing, cron and retention"
      isFlush
      isKnown={data !== null}
      lines={34}
      error={error}
      again={reload}
    >
      {data && (
        <>
          <div class="inside">
            <Facts of={data} />
          </div>
          <h3 class="inside">Duties of the cron</h3>
          {data.duties.length === 0 && (
            <p class="inside note warn">The cron has never run. It should run each minute: check its trigger.</p>
          )}
          {data.duties.length > 0 && (
            <Table
              label="Duties of the cron"
              rows={data.duties.map((duty) => Object.assign({ id: duty.name }, duty))}
              columns={DUTIES}
              isLoading={isLoading}
            />
          )}
          <h3 class="inside">How long rows are kept</h3>
          <Table
            label="Retention"
            rows={data.retention.map((kept) => Object.assign({ id: kept.kind }, kept))}
            columns={RETENTION}
            isLoading={isLoading}
          />
        </>
      )}
    </Watched>
  );
};
