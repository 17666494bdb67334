import journal from "../migrations/meta/_journal.json" with { type: "json" };

const [{ tag, when }] = journal.entries.slice(-1) as [(typeof journal.entries)[number]];

/**
 * Names the last migration of this version, and its time in milliseconds, by which the database knows it. Others import
 * this as `#last-migration`: in the Worker's bundle, that module has only this migration, without the list of all.
 */
export const LAST_MIGRATION = { tag, when };
