/** Limits what an import of offers takes at once, in bytes. */
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024;

/** Limits how many offers are imported or exported at once. */
export const MAX_TRANSFERRED = 1_000;

/**
 * Limits how deep a row may be nested; an offer is five levels deep. Millions of levels would exhaust an isolate's
 * memory.
 */
export const MOST_LEVELS = 32;
