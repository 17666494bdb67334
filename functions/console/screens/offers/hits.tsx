import { dayParameter } from "../../../core/days.ts";
import type { HitsRow } from "#client";
import type { JSX } from "preact";
import { useRead } from "../../api/use.ts";
import { count, dollars, words } from "../../core/format.ts";
import { Bones } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

const KINDS = ["impression", "viewable", "click", "close", "conversion"];

const sumOf = (rows: readonly HitsRow[], kind: string) => {
  const own = rows.filter((row) => row.kind === kind);
  const total = (name: "hits" | "unique" | "repeated" | "overCap" | "gross") =>
    own.reduce((sum, row) => sum + row[name], 0);
  return { unique: total("unique"), repeated: total("repeated"), overCap: total("overCap"), gross: total("gross") };
};

/** Shows all hits of an offer in the last 30 days, including those that were not paid for. */
export const Hits = ({ offerId }: { offerId: string }): JSX.Element => {
  const now = Date.now();
  const { data, error, reload } = useRead("getHits", {
    offerId,
    dateStart: dayParameter(now, 29),
    dateEnd: dayParameter(now),
  });
  return (
    <Card title="Hits everywhere in the last 30 days">
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={8} />}
      {data && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Hits">
          <table aria-label="Hits">
            <thead>
              <tr>
                {["Kind", "Counted", "Repeated", "Past a cap", "Owed"].map((title) => (
                  <th key={title} scope="col" class={title === "Kind" ? "" : "number"}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {KINDS.map((kind) => {
                const { unique, repeated, overCap, gross } = sumOf(data, kind);
                return (
                  <tr key={kind}>
                    <th scope="row">{words(kind)}</th>
                    <td class="number">{count(unique)}</td>
                    <td class="number">{count(repeated)}</td>
                    <td class="number">{count(overCap)}</td>
                    <td class="number">{dollars(gross)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
};
