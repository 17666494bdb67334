import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useEffect } from "preact/hooks";
import { readSome, useRead, type Given, type Operation, type Read, type RowOf } from "../api/use.ts";
import { count } from "../core/format.ts";
import {
  addressOf,
  pageCount,
  pageParameters,
  readFilters,
  readPage,
  shownRows,
  type Filters,
} from "../core/filters.ts";
import { Select, type Choice } from "./fields/field.tsx";
import { focusCard } from "./page.tsx";
import { ProblemNote } from "./problem.tsx";
import { useUndone } from "./undone.ts";
import { Table, TableBones, type Column, type Ticks } from "./table.tsx";

/** Holds a list of the API whose filters and page are in the address of this page. */
export type List<Row> = {
  read: Read<Row[]>;
  filters: Filters;
  page: number;
  /** Changes filters, in place, and goes back to the first page. */
  filter: (changes: Filters) => void;
  /** Returns the address of a page. */
  pageAddress: (page: number) => string;
  /** Reads so many rows of all pages; missing if all are here. */
  readAll?: (most: number) => Promise<Row[]>;
};

/** Reads from this page's address which part of a list is shown. `known` names the parameters that it may have. */
export const useAddress = (known: readonly string[]): Omit<List<unknown>, "read" | "readAll"> => {
  const { path, query, route } = useLocation();
  const filters = readFilters(query, known);
  const changed = (changes: Filters) =>
    Object.fromEntries(known.map((one) => [one, changes[one] ?? filters[one] ?? ""]));
  return {
    filters,
    page: readPage(query),
    filter: (changes) => route(addressOf(path, changed(changes)), true),
    pageAddress: (next) => addressOf(path, { ...filters, page: next }),
  };
};

/**
 * Reads a list of the API. The service checks the values of the parameters that `known` names.
 *
 * @param always further parameters, whatever the address says
 */
export const useList = <Name extends Operation>(
  name: Name,
  known: readonly string[],
  always: Filters = {},
): List<RowOf<Name>> => {
  const address = useAddress(known);
  const { filters, page } = address;
  const given = [{ ...filters, ...always, ...pageParameters(page) }] as unknown as Given<Name>;
  const read = useRead(name, ...given) as unknown as Read<RowOf<Name>[]>;
  useUndone(read.reload);
  return { ...address, read, readAll: (most) => readSome(name, filters, most) };
};

/** Returns a page of rows that are all here, in the form of one that was read. */
export const pageOf = <Row,>(
  rows: readonly Row[] | null,
  page: number,
  { error, isLoading, isOld, reload }: Pick<Read<unknown>, "error" | "isLoading" | "isOld" | "reload">,
): Read<Row[]> => {
  const { skip, take } = pageParameters(page);
  return {
    data: rows && rows.slice(skip, skip + take),
    // Nobody knows how many there are of what could not be read.
    pagination: rows && { total: rows.length, skip, take, hasMore: skip + take < rows.length },
    etag: null,
    error,
    isLoading,
    isOld,
    reload,
    put: () => undefined,
  };
};

/** Goes to the beginning of a list when its page is turned: the link is at its end, and may no longer be there. */
const toBeginning = ({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
  const isLink = target instanceof Element && target.closest("a") !== null;
  if (!isLink || ctrlKey || metaKey || shiftKey) return;
  if (currentTarget instanceof Element) focusCard(currentTarget);
};

const Pager = ({ page, total, address }: { page: number; total: number; address: (page: number) => string }) => {
  const pages = pageCount(total);
  const { from, to } = shownRows(page, total);
  return (
    <nav class="foot" aria-label="Pages" onClick={toBeginning}>
      <span class="muted small" aria-live="polite">
        {count(from)}–{count(to)} of {count(total)}
      </span>
      <span class="row">
        {page > 1 && (
          <a class="button little" href={address(page - 1)} rel="prev">
            Previous
          </a>
        )}
        {page < pages && (
          <a class="button little" href={address(page + 1)} rel="next">
            Next
          </a>
        )}
      </span>
    </nav>
  );
};

/** Chooses the value of a parameter by which a list is filtered, or none. */
export const FilterBy = <Row,>({
  list,
  name,
  label,
  choices,
}: {
  list: List<Row>;
  name: string;
  label: string;
  choices: readonly Choice[];
}): JSX.Element => (
  <Select
    label={label}
    value={list.filters[name] ?? ""}
    onChange={(value) => list.filter({ [name]: value })}
    choices={[["", "All"], ...choices]}
  />
);

/** Tells a screen reader how many there are, whenever that changes. */
const Found = ({ label, total, isNone }: { label: string; total: number | null; isNone: boolean }) => (
  <p class="unseen" role="status">
    {total !== null && `${label}: ${isNone ? "no matches" : count(total)}`}
  </p>
);

/**
 * Tells whether a page is past the last one of a list, for example because rows were changed; if so, goes to the last
 * one.
 */
const usePast = <Row,>({ read: { data, pagination, isLoading }, page, pageAddress }: List<Row>): boolean => {
  const { route } = useLocation();
  const isPast = !isLoading && data?.length === 0 && page > 1;
  useEffect(() => {
    if (isPast) route(pageAddress(Math.min(pageCount(pagination?.total ?? 0), page - 1)), true);
  }, [isPast, page]);
  return isPast;
};

/** Shows a list with its tools, its rows or what takes their place, and its pages. */
export const ListCard = <Row extends { id: string }>({
  label,
  list,
  columns,
  tools,
  empty,
  ticks,
  bulk,
}: {
  label: string;
  list: List<Row>;
  columns: readonly Column<Row>[];
  tools?: ComponentChildren;
  /** Says what would be here, and how to get it. */
  empty: ComponentChildren;
  ticks?: Ticks | undefined;
  /** Offers actions on ticked rows. */
  bulk?: ComponentChildren;
}): JSX.Element => {
  const { data, error, isLoading, isOld, pagination, reload } = list.read;
  // An empty result of other filters says nothing about these.
  const isUnknown = data === null || (isOld && data.length === 0);
  const isNone = !isUnknown && data?.length === 0 && Object.keys(list.filters).length > 0;
  const isPast = usePast(list);
  return (
    <section class="card" aria-label={label} tabIndex={-1}>
      <Found label={label} total={isLoading || isPast ? null : (pagination?.total ?? null)} isNone={isNone} />
      {tools && (
        <div class="tools" role="search">
          {tools}
        </div>
      )}
      {bulk}
      {error && (
        <div class="inside">
          <ProblemNote of={error} retry={reload} />
        </div>
      )}
      {(isUnknown || isPast) && !error && <TableBones />}
      {data && data.length > 0 && (
        <Table label={label} rows={data} columns={columns} ticks={ticks} isLoading={isLoading} isOld={isOld} />
      )}
      {data && data.length === 0 && !isUnknown && !isPast && (isNone ? <NothingFound list={list} /> : empty)}
      {data && data.length > 0 && pagination && (
        <Pager page={list.page} total={pagination.total} address={list.pageAddress} />
      )}
    </section>
  );
};

const NothingFound = <Row,>({ list }: { list: List<Row> }): JSX.Element => (
  <div class="empty">
    <h2>No matches</h2>
    <p>Nothing here is what you are looking for. Search for less, or remove a filter.</p>
    <button
      type="button"
      class="button"
      onClick={() => list.filter(Object.fromEntries(Object.keys(list.filters).map((name) => [name, ""])))}
    >
      Show all
    </button>
  </div>
);
