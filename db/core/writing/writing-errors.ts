import { Refusal } from "../errors.ts";
import { StatementError } from "../neon/neon.ts";

/** Tells that a resource has another version than those that the caller requires. */
export class StaleError extends Refusal {
  override readonly name = "StaleError";
  readonly code = "PRECONDITION_FAILED";
  readonly tag: string;

  constructor(tag: string) {
    super("Somebody changed this since it was read; read it again, and send the tag that it has now", {
      etag: `"${tag}"`,
    });
    this.tag = tag;
  }
}

/** Tells that an idempotency key was used for another request. */
class KeyReusedError extends Refusal {
  override readonly name = "KeyReusedError";
  readonly code = "IDEMPOTENCY_KEY_REUSED";

  constructor() {
    super("Another request was made with this Idempotency-Key; repeat that one to the letter, or send a new key");
  }
}

/** Tells that a request was made before, and that its answer, a secret, is not shown again. */
export class ShownOnceError extends Refusal {
  override readonly name = "ShownOnceError";
  readonly code = "CONFLICT";

  constructor() {
    super(
      "The first call with this Idempotency-Key succeeded, and the secret in its answer is shown only once; if it is lost, rotate it with a new key",
    );
  }
}

/** Tells that a request was made before, and from which row it was answered. */
export class KeyKnownError extends Error {
  override readonly name = "KeyKnownError";
  readonly answer: unknown;

  constructor(answer: unknown) {
    super("the idempotency key is known");
    this.answer = answer;
  }
}

/**
 * Names the codes by which the database's functions end a transaction: for another version, and for a known idempotency
 * key.
 */
const STALE = "LY412";
const KNOWN = "LY409";

/**
 * Returns what a failed write means, if one of the database's own functions raised the failure; else the failure
 * itself.
 */
export const judgedWrite = (thrown: unknown): unknown => {
  if (!(thrown instanceof StatementError)) return thrown;
  const { code, detail = "" } = thrown;
  if (code === STALE) return new StaleError(detail);
  if (code !== KNOWN) return thrown;
  const { same, answer } = JSON.parse(detail) as { same: boolean; answer: unknown };
  if (!same) return new KeyReusedError();
  return answer === null ? new ShownOnceError() : new KeyKnownError(answer);
};
