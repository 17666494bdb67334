import type { OverviewRanked } from "#client";
import type { JSX } from "preact";
import { useWho } from "../../api/who.ts";
import { count, dollars, percent, ratio } from "../../core/format.ts";
import { Bones } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";

const Name = ({ row, path, isLinked }: { row: OverviewRanked; path: string; isLinked: boolean }): JSX.Element =>
  isLinked && row.name !== null ? (
    <a href={`/console/${path}/${row.id}`} dir="auto" class="clip">
      {row.name}
    </a>
  ) : (
    <span dir="auto" class="clip">
      {row.name ?? <span class="muted">Deleted ({row.id})</span>}
    </span>
  );

/** Shows the best or the worst of the last seven days. */
export const Ranks = ({
  title,
  path,
  rows,
  isWorst = false,
}: {
  title: string;
  path: "placements" | "offers";
  rows: readonly OverviewRanked[] | undefined;
  isWorst?: boolean;
}): JSX.Element => {
  const { kind } = useWho();
  const isLinked = path === "placements" || kind !== "publisher";
  const of = path === "placements" ? "requests" : "impressions";
  return (
    <Card title={title}>
      {!rows && <Bones lines={3} />}
      {rows?.length === 0 && (
        <p class="muted">
          {isWorst
            ? `No others had a hundred ${of} in the last seven days.`
            : "Nothing earned anything in the last seven days."}
        </p>
      )}
      <ol class="lines ranks">
        {rows?.map((row) => (
          <li key={row.id}>
            <span class="grow">
              <Name row={row} path={path} isLinked={isLinked} />
              <span class="under">
                {row.requests !== undefined && `${count(row.requests)} requests · `}
                {count(row.impressions)} impressions · CTR {percent(ratio(row.clicks, row.impressions))}
              </span>
            </span>
            <strong class="number">
              {row.revenue === undefined ? `${count(row.clicks)} clicks` : dollars(row.revenue)}
            </strong>
          </li>
        ))}
      </ol>
    </Card>
  );
};
