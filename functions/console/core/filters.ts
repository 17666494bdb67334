// A list's address says what it shows: its filters, and which page.

/** Maps a list's parameters to their filters; an empty one filters nothing. */
export type Filters = Record<string, string>;

/** Says how many rows a page of a list has. */
export const PAGE_SIZE = 25;

/** Reads the filters that a list knows from an address's query; others are left out. */
export const readFilters = (query: Record<string, string>, known: readonly string[]): Filters =>
  Object.fromEntries(known.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

/** Reads which page an address asks for, from 1. */
export const readPage = (query: Record<string, string>): number => {
  const page = Number(query["page"]);
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
};

/** Tells whether an address's path can be read: the router fails at one with a broken escape, such as a cut `%E0%A4`. */
export const isReadable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** Returns an address with a query; parameters without a value, and the first page, are left out. */
export const addressOf = (path: string, filters: Record<string, string | number | undefined>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === "" || (name === "page" && Number(value) <= 1)) continue;
    query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
};

/** Returns the API's parameters for one page of a list. */
export const pageParameters = (page: number, size: number = PAGE_SIZE): { skip: number; take: number } => ({
  skip: (page - 1) * size,
  take: size,
});

/** Returns how many pages a list has, at least one. */
export const pageCount = (total: number, size: number = PAGE_SIZE): number => Math.max(1, Math.ceil(total / size));

/** Says which rows a page shows: 26–50 of 1,234. */
export const shownRows = (page: number, total: number, size: number = PAGE_SIZE): { from: number; to: number } => {
  const from = (page - 1) * size + 1;
  return { from: Math.min(from, total), to: Math.min(page * size, total) };
};
