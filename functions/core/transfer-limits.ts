/** Limits what an import of offers takes at once, in bytes. */
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024;

/** Limits how many offers are brought in or taken out at once. */
export const MAX_TRANSFERRED = 1_000;

/** Limits how deep a row may be nested; an offer is five levels deep. Millions of levels would take an isolate's memory. */
export const MOST_LEVELS = 32;
