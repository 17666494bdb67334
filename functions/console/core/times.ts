const MINUTE_MS = 60_000;

/** Tells whether a field's day or time is complete: while the year is still being typed, it reads as one long ago. */
export const isWhole = (text: string): boolean => /^2\d{3}-\d\d-\d\d(?:T\d\d:\d\d.*)?$/.test(text);

/** Returns a time in the form of a field for local times; empty if there is none. */
export const localTime = (time: string | null | undefined): string => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? "" : new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

/** Returns the content of a field for local times in the API's form; empty if it holds none. */
export const isoTime = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
};
