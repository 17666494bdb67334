/** Limits the gzipped size of the Worker, in KB, because a larger script starts more slowly. */
export const BUNDLE_LIMIT_KB = 175;

/** Limits the gzipped size of the script that shops embed, in KB. */
export const SCRIPT_LIMIT_KB = 8;
