import type { ExplainedOffer, Explanation } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, day, dollars, percent, plural } from "../../core/format.ts";
import { isNamed, movesOf, reasonText, type Facts } from "../../core/explain.ts";
import { Badge } from "../../parts/bits.tsx";
import { Search, Select } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";

const MOST = 100;
/** Formats micro-USD for one impression as dollars for a thousand. Null is money that may not be seen. */
const perThousand = (micros: number | null): string => dollars(micros === null ? null : micros / 1_000);

/** Says how far the click rate of an offer has shifted; nothing where it has not. */
const Shift = ({
  of: { shiftedOn, shiftRatio },
}: {
  of: NonNullable<ExplainedOffer["expectation"]>;
}): JSX.Element | null =>
  shiftedOn === null || shiftRatio === null ? null : (
    <span class="under">
      clicked {percent(Math.abs(1 - shiftRatio))} {shiftRatio < 1 ? "less" : "more"} than before, found on{" "}
      {day(shiftedOn)}
    </span>
  );

type Row = ExplainedOffer & { id: string; was: string | undefined };
type Show = "all" | "about" | "served" | "changed";

const SHOWN: Record<Show, (row: Pick<Row, "served" | "was"> & { isAbout: boolean }) => boolean> = {
  all: () => true,
  about: ({ isAbout }) => isAbout,
  served: ({ served }) => served,
  changed: ({ was }) => was !== undefined,
};

const columnsOf = (isManager: boolean, facts: Facts, onSeen: (id: string) => void): Column<Row>[] => [
  {
    title: "Offer",
    cell: ({ id, name, creatives }) => {
      const shown = creatives?.find((creative) => creative.shown);
      const text = (
        <span class="clip" dir="auto">
          {name}
        </span>
      );
      return (
        <>
          {isManager ? <a href={`/console/offers/${id}`}>{text}</a> : text}
          {creatives && (
            <span class="under" dir="auto">
              {shown ? `Shows creative ${shown.number}, ${shown.name}` : `${creatives.length} creatives`}
            </span>
          )}
        </>
      );
    },
  },
  {
    title: "Answer",
    cell: ({ rank, reason, pace, was }) => (
      <>
        {rank === null ? reasonText(reason ?? "", facts) : <Badge tone="good">Rank {rank}</Badge>}
        {pace !== null && <span class="under">{percent(pace)} of sessions may see it now</span>}
        {was && (
          <span class="under">
            <Badge tone="warn">{was}</Badge>
          </span>
        )}
      </>
    ),
  },
  {
    title: "Expected (95%)",
    cell: ({ expectation }) =>
      expectation?.rate ? (
        <>
          {percent(expectation.rate.expected)}
          <span class="under nowrap">
            {percent(expectation.rate.low)} to {percent(expectation.rate.high)}
          </span>
          <span class="under nowrap">from {plural(Math.round(expectation.exposure), "impression")}</span>
          <Shift of={expectation} />
        </>
      ) : (
        <span class="muted">–</span>
      ),
  },
  {
    title: "Value per 1,000",
    isNumber: true,
    cell: ({ expectation }) => (expectation ? perThousand(expectation.valueMicros) : "–"),
  },
  {
    title: "Score per 1,000",
    isNumber: true,
    cell: ({ expectation }) => (expectation?.score ? perThousand(expectation.score) : "–"),
  },
  {
    title: "What if",
    cell: ({ id, name, served }) =>
      served && (
        <button type="button" class="button little" aria-label={`Already answered: ${name}`} onClick={() => onSeen(id)}>
          Already answered
        </button>
      ),
  },
];

/** Shows each offer with its rank or the one reason against it, and where it was at the previous request. */
export const Verdicts = ({
  now,
  before,
  about,
  facts,
  isManager,
  isLoading,
  onSeen,
}: {
  now: Explanation;
  before: Explanation | null;
  /** Names the offer that is asked about. */
  about?: string | undefined;
  /** Holds the facts that the answered request states, and those that were assumed. */
  facts: Facts;
  isManager: boolean;
  isLoading: boolean;
  onSeen: (id: string) => void;
}): JSX.Element => {
  const [show, setShow] = useState<Show>(about ? "about" : "all");
  const [search, setSearch] = useState("");
  const [isWhole, setWhole] = useState(false);
  const find = (text: string): void => {
    setSearch(text);
    if (show === "about") setShow("all");
  };
  const moves = movesOf(before && before.offers, now.offers);
  const rows = now.offers
    .map((verdict): Row => Object.assign({ id: verdict.offerId, was: moves.get(verdict.offerId) }, verdict))
    .filter(
      ({ id, name, served, was }) => SHOWN[show]({ isAbout: id === about, served, was }) && isNamed(name, search),
    );
  const served = now.offers.filter((verdict) => verdict.served).length;
  const hasRates = rows.some(({ expectation }) => expectation?.rate);
  const hasScores = rows.some(({ expectation }) => (expectation?.score ?? null) !== null);
  return (
    <Card title={`${count(served)} of ${count(now.offers.length)} offers served`} isFlush>
      <div class="tools" role="search">
        <Search label="Part of an offer’s name" value={search} onSearch={find} />
        <Select
          label="Show"
          value={show}
          onChange={(next) => setShow(next as Show)}
          choices={[
            ...(about ? [["about", "Only this offer"] as const] : []),
            ["all", "All offers"],
            ["served", "What is served"],
            ["changed", "What changed"],
          ]}
        />
      </div>
      <div class="inside">
        <div class="stack tight" role="status">
          {now.isTestMode && (
            <p class="note warn">The placement is in test mode: it serves samples, and nobody sees these offers.</p>
          )}
          {now.noFillReason && (
            <p class="note bad">The answer is empty: {reasonText(now.noFillReason).toLowerCase()}.</p>
          )}
          {before && (
            <p class="muted">
              {moves.size === 0
                ? "Nothing changed from the previous request."
                : `${count(moves.size)} ${moves.size === 1 ? "offer" : "offers"} changed from the previous request.`}
            </p>
          )}
          {rows.length === 0 && <p class="muted">There is no such offer.</p>}
        </div>
        {hasRates && (
          <p class="muted small">
            “Expected” is how often an impression here is paid for. Impressions in later positions, from long ago or
            from before a shift of the rate count less.
            {hasScores &&
              " The score is drawn for this session around the value, and orders offers of the same priority."}
          </p>
        )}
      </div>
      {rows.length > 0 && (
        <Table
          label="Offers"
          rows={isWhole ? rows : rows.slice(0, MOST)}
          columns={columnsOf(isManager, facts, onSeen)}
          isLoading={isLoading}
        />
      )}
      {rows.length > MOST && !isWhole && (
        <div class="foot">
          <span class="muted small">The first {MOST}</span>
          <button type="button" class="button little" onClick={() => setWhole(true)}>
            Show all {count(rows.length)}
          </button>
        </div>
      )}
    </Card>
  );
};
