const MINUTE_MS = 60_000;

/** Returns a time as a field for local times shows it; empty where there is none. */
export const localTime = (time: string | undefined): string => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? "" : new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

/** Returns what a field for local times holds as a time of the API; empty where it holds none. */
export const isoTime = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
};
