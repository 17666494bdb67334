import { dayParameter } from "../../core/days.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../api/use.ts";
import { useWho } from "../api/who.ts";
import { Bones } from "../parts/bits.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Search } from "../parts/fields/field.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/** Names what may be picked. */
export type Pickable = "publisher" | "site" | "placement" | "offer";

/** Holds what was picked. */
export type Picked = { id: string; name: string };

type Row = Partial<
  Record<"id" | "name" | "title" | "siteName" | "publisherName" | "offerId" | "offerName", string | null>
>;

const LISTS = {
  publisher: "listPublisherDirectory",
  site: "listSiteDirectory",
  placement: "listPlacementDirectory",
  offer: "listOffers",
} as const;
const MOST = 20;
const DAYS = 90;

const pickedOf = (row: Row): Picked & { under: string } => ({
  id: row.id ?? row.offerId ?? "",
  name: row.name ?? row.offerName ?? row.offerId ?? "",
  under: [row.title, row.siteName, row.publisherName].filter(Boolean).join(" · "),
});

/**
 * Searches by a part of the name. A publisher has no list of offers: those that were shown at its placements are used.
 */
const useFound = (what: Pickable, search: string) => {
  const isOfReport = useWho().kind === "publisher" && what === "offer";
  const listed = useRead(isOfReport ? null : LISTS[what], { search, take: MOST });
  const reported = useRead(isOfReport ? "getReport" : null, {
    reportType: "OFFER",
    dateStart: dayParameter(Date.now(), DAYS - 1),
    dateEnd: dayParameter(Date.now()),
  });
  const { error, isLoading, reload } = isOfReport ? reported : listed;
  const rows: readonly Row[] | null = isOfReport ? reported.data : listed.data;
  const found = rows
    ?.map(pickedOf)
    .filter(({ name }) => !isOfReport || name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, MOST);
  return { found, error, isLoading, reload };
};

const foundOf = (n: number): string => {
  if (n === 0) return "Nothing has a name like that.";
  return n === MOST ? `These are the first ${MOST}: type more of the name.` : `${n} found`;
};

/** Asks for one of many by a part of its name. */
export const Pick = ({
  what,
  onPick,
  onClose,
}: {
  what: Pickable;
  onPick: (picked: Picked) => void;
  onClose: () => void;
}): JSX.Element => {
  const [search, setSearch] = useState("");
  const { found, error, isLoading, reload } = useFound(what, search);
  return (
    <Dialog title={`Choose one ${what}`} onClose={onClose}>
      <div class="stack">
        <Search label="Part of its name" value={search} onSearch={setSearch} />
        {error && <ProblemNote of={error} retry={reload} />}
        {!found && !error && <Bones lines={5} />}
        <ul class={isLoading ? "lines is-loading" : "lines"} aria-label="What was found">
          {found?.map(({ id, name, under }) => (
            <li key={id}>
              <span class="grow">
                <span class="clip" dir="auto">
                  {name}
                </span>
                {under !== "" && (
                  <span class="under clip" dir="auto">
                    {under}
                  </span>
                )}
              </span>
              <button
                type="button"
                class="button little"
                aria-label={`Choose ${name}`}
                onClick={() => onPick({ id, name })}
              >
                Choose
              </button>
            </li>
          ))}
        </ul>
        <p class="muted small" role="status">
          {found && !isLoading && foundOf(found.length)}
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
};
