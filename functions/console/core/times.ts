const MINUTE_MS = 60_000;

/** Tells whether a field's day or time is whole: one whose year is still being typed reads as one of long ago. */
export const isWhole = (text: string): boolean => /^2\d{3}-\d\d-\d\d(?:T\d\d:\d\d.*)?$/.test(text);

/** Returns a time as a field for local times shows it; empty where there is none. */
export const localTime = (time: string | null | undefined): string => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? "" : new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

/** Returns what a field for local times holds as a time of the API; empty where it holds none. */
export const isoTime = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
};
