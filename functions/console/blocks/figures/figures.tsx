import type { GetReportParameters } from "#client";
import type { JSX } from "preact";
import { useWho } from "../../api/who.ts";
import { expected, figuresOf, sumOf } from "../../core/reports/figures.ts";
import { lastWeeks } from "../../core/reports/period.ts";
import { Daily, useLastDays } from "./daily.tsx";
import { Tiles } from "./tiles.tsx";

/**
 * Shows what was counted for something in the last 30 days, and how the last seven whole days compare with the seven
 * before.
 */
export const Figures = ({ filter, empty }: { filter: Partial<GetReportParameters>; empty: string }): JSX.Element => {
  const who = useWho();
  const read = useLastDays(filter);
  const { data, error } = read;
  const isOfOffers = filter.offerId !== undefined || filter.advertiserId !== undefined;
  const figures = figuresOf(data ? sumOf(data) : expected(who.revenueAccess, !isOfOffers));
  const { week, before } = lastWeeks(data ?? [], Date.now());
  return (
    <>
      {(data || !error) && (
        <section class="stack tight" aria-label="In all, last 30 days">
          <div class="row spread">
            <h2>In all, last 30 days</h2>
            <span class="muted small">UTC, with today so far</span>
          </div>
          <Tiles
            figures={figures}
            of={data && sumOf(data)}
            compared={{ now: sumOf(week), before: sumOf(before) }}
            than={() => "7 whole days vs the 7 before"}
          />
        </section>
      )}
      <Daily of={read} figures={figures}>
        <p>{empty}</p>
      </Daily>
    </>
  );
};
