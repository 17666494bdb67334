import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Query } from "../api/call.ts";
import { useRead } from "../api/use.ts";
import { useWho } from "../api/who.ts";
import { dayParameter } from "../core/format.ts";
import { Bones } from "../parts/bits.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Search } from "../parts/field.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/** Names what may be picked. */
export type Pickable = "publisher" | "site" | "placement" | "offer";

/** Holds what was picked. */
export type Picked = { id: string; name: string };

type Row = { id?: string; name?: string; publisherName?: string; siteName?: string; title?: string } & {
  offerId?: string;
  offerName?: string | null;
};

const PATHS: Record<Pickable, string> = {
  publisher: "/api/v1/directory/publishers",
  site: "/api/v1/directory/sites",
  placement: "/api/v1/directory/placements",
  offer: "/api/v1/offers",
};
const MOST = 20;
const DAYS = 90;

/** Says where to look. A publisher has no list of offers: those that were shown at its placements stand for it. */
const sourceOf = (what: Pickable, isPublisher: boolean, search: string): { path: string; query: Query } =>
  what === "offer" && isPublisher
    ? {
        path: "/api/report",
        query: {
          reportType: "OFFER",
          dateStart: dayParameter(Date.now(), DAYS - 1),
          dateEnd: dayParameter(Date.now()),
        },
      }
    : { path: PATHS[what], query: { search, take: MOST } };

const pickedOf = (row: Row): Picked & { under: string } => ({
  id: row.id ?? row.offerId ?? "",
  name: row.name ?? row.offerName ?? row.offerId ?? "",
  under: [row.title, row.siteName, row.publisherName].filter(Boolean).join(" · "),
});

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
  const { kind } = useWho();
  const { path, query } = sourceOf(what, kind === "publisher", search);
  const { data, error, isLoading, reload } = useRead<Row[]>(path, query);
  const isOfReport = path === "/api/report";
  const found = (data ?? [])
    .map(pickedOf)
    .filter(({ name }) => !isOfReport || name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, MOST);
  return (
    <Dialog title={`Choose one ${what}`} onClose={onClose}>
      <div class="stack">
        <Search label="Part of its name" value={search} onSearch={setSearch} />
        {error && <ProblemNote of={error} retry={reload} />}
        {!data && !error && <Bones lines={5} />}
        <ul class={isLoading ? "lines is-loading" : "lines"} aria-label="What was found">
          {found.map(({ id, name, under }) => (
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
        {data && found.length === 0 && <p class="muted">Nothing has a name like that.</p>}
        {found.length === MOST && <p class="muted small">These are the first {MOST}: type more of the name.</p>}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
};
