import type { JSX } from "preact";
import { useRead } from "../api/use.ts";
import { count } from "../core/format.ts";

const READS = { publisher: "listPublisherDirectory", site: "listSiteDirectory" } as const;

/** Names what is known by its id alone. */
export type Nameable = keyof typeof READS;

/** Tells whether an id is whole: one that is still being typed is not looked up. */
const WHOLE = /^[a-z]+_[0-9a-z]{26}$/;

/** Reads the name of something. Until it is read, and where it is gone, its id stands for it. */
export const useName = (what: Nameable, id: string): string =>
  useRead(WHOLE.test(id) ? READS[what] : null, { id }).data?.find((row) => row.id === id)?.name ?? id;

/** Limits how many are named: a list may have thousands of ids, and each name is read on its own. */
export const MOST_NAMED = 10;

const Name = ({ what, id }: { what: Nameable; id: string }): JSX.Element => {
  const name = useName(what, id);
  // What is gone has no page.
  if (name === id) return <>{id}</>;
  return (
    <a href={`/console/${what}s/${id}`} title={id} dir="auto">
      {name}
    </a>
  );
};

/** Shows ids by their names, which lead to their pages. The rest of a long list is shown as ids when opened. */
export const NameList = ({ what, ids }: { what: Nameable; ids: readonly string[] }): JSX.Element => (
  <>
    {ids.slice(0, MOST_NAMED).map((id, i) => (
      <span key={id}>
        {i > 0 && ", "}
        <Name what={what} id={id} />
      </span>
    ))}
    {ids.length > MOST_NAMED && (
      <details>
        <summary>and {count(ids.length - MOST_NAMED)} more</summary>
        {ids.slice(MOST_NAMED).join(", ")}
      </details>
    )}
  </>
);
