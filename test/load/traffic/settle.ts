/** Waits longer than a writer does between two puts of one document. */
const SETTLE_MS = 1_100;

/** Waits until the writers of documents have put earlier changes. */
export const settle = (): Promise<void> => new Promise((done) => setTimeout(done, SETTLE_MS));
