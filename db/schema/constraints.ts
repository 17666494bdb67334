/**
 * Passes on a table's keys, checks and indexes, of which migrations are made. Others import this as `#constraints`: in
 * the Worker's bundle, which needs none of them, that module has a function that leaves them out.
 */
export const constraints = <Of>(of: Of): Of => of;
