import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { describeError } from "../core/log.ts";
import { latestChange, noteBuilt, ownChangesShownFrom } from "./changes.ts";
import { parseDocument } from "./kv.ts";
import { rememberRenewed } from "./remembered.ts";

/** Sets how long a renewal counts as under way, in milliseconds: its request may have been given up. */
const LOST_AFTER_MS = 10_000;

/** Maps documents to the time when this isolate asked for their renewal, in milliseconds since 1970. */
const renewing = new Map<DocumentKey, number>();

const isRenewing = (key: DocumentKey): boolean => Date.now() - (renewing.get(key) ?? 0) < LOST_AFTER_MS;

const renew = async (env: Env, key: DocumentKey, old: Stored): Promise<void> => {
  renewing.set(key, Date.now());
  try {
    const asOf = latestChange();
    const notBefore = Math.max(old.builtAt + 1, ownChangesShownFrom(key));
    const renewed = parseDocument(await env.DOCUMENT_WRITER.getByName(key).renew(key, old.builtAt, notBefore));
    if (!renewed) return;
    noteBuilt(key, renewed, asOf);
    rememberRenewed(key, renewed);
  } catch (error) {
    console.warn(`a document was not renewed: ${describeError(error)}`);
  } finally {
    renewing.delete(key);
  }
};

/** Has old documents rebuilt behind an answer by their writers, so that all isolates together cause one build. */
export const renewDocuments = (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  old: readonly (readonly [DocumentKey, Stored])[],
): void => {
  for (const [key, document] of old) if (!isRenewing(key)) context.waitUntil(renew(env, key, document));
};
