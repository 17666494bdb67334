/** Names the kinds of things that have an id or a key. */
export type Resource =
  | "Platform"
  | "Publisher"
  | "Site"
  | "Placement"
  | "Advertiser"
  | "Offer"
  | "Creative"
  | "Token"
  | "PublicKey";

/** Says more about a refusal: `field: message` texts, or named facts. */
export type Details = readonly string[] | Record<string, unknown>;

/** Refuses what a caller asked for. Programs rely on `code`, which never changes; people read the message. */
export abstract class Refusal extends Error {
  abstract readonly code:
    | "RESOURCE_NOT_FOUND"
    | "FORBIDDEN"
    | "RESOURCE_CONFLICT"
    | "CONFLICT"
    | "PRECONDITION_FAILED"
    | "IDEMPOTENCY_KEY_REUSED"
    | "VALIDATION_FAILED"
    | "INVALID_FIELD_VALUE";
  readonly details: Details | undefined;

  constructor(message: string, details?: Details) {
    super(message);
    this.details = details;
  }
}

/** Finds the refusal in whatever was thrown, or null. Drizzle wraps what a single statement throws. */
export const refusalIn = (thrown: unknown): Refusal | null => {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error instanceof Refusal) return error;
  return null;
};

/** Tells that nothing with this id exists, or nothing that the caller may know of. */
export class NotFoundError extends Refusal {
  override readonly name = "NotFoundError";
  readonly code = "RESOURCE_NOT_FOUND";

  constructor(resource: Resource, id: string) {
    super(`${resource} not found; check the id, and that this credential may see it`, { resourceType: resource, id });
  }
}

/** Tells that a publisher is out of the caller's reach. */
export class ForeignError extends Refusal {
  override readonly name = "ForeignError";
  readonly code = "FORBIDDEN";

  constructor() {
    super("This credential has no access to that publisher; use a token of the publisher or of its platform");
  }
}

/** Tells that a token has more access than the one that asks for it, and would be a way around that one's limits. */
export class ExceedsError extends Refusal {
  override readonly name = "ExceedsError";
  readonly code = "FORBIDDEN";

  constructor() {
    super(
      "That token has more access than the one you call with; call with a token that has as much, or ask your platform",
    );
  }
}

/** Tells that another resource of the same kind has the name. */
export class NameTakenError extends Refusal {
  override readonly name = "NameTakenError";
  readonly code = "RESOURCE_CONFLICT";

  constructor(resource: Resource, value: string) {
    const message = `Another ${resource.toLowerCase()} has this name; choose another name`;
    super(message, { resourceType: resource, field: "name", value });
  }
}

/** Tells that another publisher has the contact e-mail address. */
export class EmailTakenError extends Refusal {
  override readonly name = "EmailTakenError";
  readonly code = "CONFLICT";

  constructor() {
    super("This contact e-mail is in use by another publisher; choose another one");
  }
}

/** Tells that active placements keep a publisher or a site from being deleted. */
export class ActivePlacementsError extends Refusal {
  override readonly name = "ActivePlacementsError";
  readonly code = "FORBIDDEN";

  constructor(count: number) {
    super("There are active placements; deactivate or delete them first", {
      activePlacements: count,
    });
  }
}

/** Tells that without this token no token would open the publisher's account. */
export class LastTokenError extends Refusal {
  override readonly name = "LastTokenError";
  readonly code = "CONFLICT";

  constructor() {
    super("The last private token that may write cannot be revoked; issue or rotate one first");
  }
}

/** Tells that a publisher has as many valid credentials of a kind as it may have. */
export class NoRoomError extends Refusal {
  override readonly name = "NoRoomError";
  readonly code = "CONFLICT";

  constructor(most: number, credentials: string) {
    super(`A publisher has at most ${most} valid ${credentials}; revoke one first`);
  }
}

/** Tells that an offer has as many creatives as it may have at once, or ever. */
export class CreativesFullError extends Refusal {
  override readonly name = "CreativesFullError";
  readonly code = "CONFLICT";

  constructor(when: "once" | "ever") {
    super(
      when === "once"
        ? "An offer has at most four creatives with its own texts; archive one of them first"
        : "An offer has at most a hundred creatives ever, archived ones included; change an existing one",
    );
  }
}

/** Tells that what a request names was changed by others between its look-up and its change. */
export class ChangedMeanwhileError extends Refusal {
  override readonly name = "ChangedMeanwhileError";
  readonly code = "CONFLICT";

  constructor() {
    super("Somebody changed what this request names at the same time, so nothing was changed; send it again");
  }
}

/** Says what a site's category must be, for programs and in words. */
export const CATEGORY_NAME = {
  field: "categoryName",
  expectedType: "name of an existing category",
  inWords: "the exact name of an existing category",
};

/** Tells that no category has exactly this name. */
export class UnknownCategoryError extends Refusal {
  override readonly name = "UnknownCategoryError";
  readonly code = "INVALID_FIELD_VALUE";

  constructor(value: string) {
    const { field, expectedType, inWords } = CATEGORY_NAME;
    super(`${field} must be ${inWords}`, { field, value, expectedType });
  }
}

/** Names a field, and says what is wrong with it. */
export type FieldProblem = readonly [field: string, message: string];

/** Tells that values are wrong in a way that only the database can judge, because it depends on other rows. */
export class InvalidFieldError extends Refusal {
  override readonly name = "InvalidFieldError";
  readonly code = "VALIDATION_FAILED";

  constructor(...problems: readonly FieldProblem[]) {
    const details = problems.map(([field, message]) => `${field}: ${message}`);
    super(`The request is invalid: ${details.join("; ")}`, details);
  }
}

/** Tells that something an answer needs is unavailable now. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code = "SERVICE_UNAVAILABLE";
}

/** Names Postgres' codes for the failures that the service answers for (appendix A of the Postgres manual). */
const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const CHECK_VIOLATION = "23514";
const LOCK_NOT_AVAILABLE = "55P03";
/** Answers a write to a Postgres that only reads: a standby, which a failover may lead to for a while. */
const READ_ONLY = "25006";

type PostgresError = { code: string; constraint: string | undefined };

/** Finds the Postgres error behind whatever a query threw, or null. Drizzle wraps the driver's error as its cause. */
export const postgresError = (thrown: unknown): PostgresError | null => {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)) {
      const constraint = "constraint" in error && typeof error.constraint === "string" ? error.constraint : undefined;
      return { code: error.code, constraint };
    }
  }
  return null;
};

/** Tells if a query broke this unique constraint. */
export const violatesUnique = (thrown: unknown, constraint: string): boolean => {
  const error = postgresError(thrown);
  return error?.code === UNIQUE_VIOLATION && error.constraint === constraint;
};

/** Tells if a query named a row that is gone. */
export const violatesForeignKey = (thrown: unknown): boolean => postgresError(thrown)?.code === FOREIGN_KEY_VIOLATION;

/** Names the check that a query broke, or null. */
export const violatedCheck = (thrown: unknown): string | null => {
  const error = postgresError(thrown);
  return error?.code === CHECK_VIOLATION ? (error.constraint ?? null) : null;
};

/** Tells if a query failed because others had locked what it would not wait for. */
export const isLocked = (thrown: unknown): boolean => postgresError(thrown)?.code === LOCK_NOT_AVAILABLE;

/** Tells if the values themselves were refused (classes 22 and 23), so that trying again cannot help. */
export const isDataError = (thrown: unknown): boolean => /^2[23]/.test(postgresError(thrown)?.code ?? "");

/**
 * Tells if Postgres was not reached, did not answer in time, answered nonsense or could not work: classes 08, 53, 57
 * and 58, a write where it only reads, and every failure of the driver that is not Postgres' own. Class 40 and a lock
 * held by others count, too: the change conflicted with another one, nothing of it was done, and it will succeed when
 * it is sent again.
 */
export const isUnavailable = (thrown: unknown): boolean => {
  const failure = postgresError(thrown);
  if (failure) return isLocked(thrown) || failure.code === READ_ONLY || /^(?:08|40|5[378])/.test(failure.code);
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof UnavailableError) return true;
  }
  return false;
};
