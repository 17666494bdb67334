export type Resource = "Platform" | "Publisher" | "Site" | "Placement" | "Advertiser" | "Offer" | "Token" | "PublicKey";

/** Nothing has this id, or nothing that the caller may know of. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
  readonly resource: Resource;
  readonly id: string;

  constructor(resource: Resource, id: string) {
    super(`${resource} not found`);
    this.resource = resource;
    this.id = id;
  }
}

/** It exists, but belongs to somebody else. */
export class ForeignError extends Error {
  override readonly name = "ForeignError";
}

/** Another of its kind has the name. */
export class NameTakenError extends Error {
  override readonly name = "NameTakenError";
  readonly resource: Resource;
  readonly value: string;

  constructor(resource: Resource, value: string) {
    super(`${resource} name is taken`);
    this.resource = resource;
    this.value = value;
  }
}

/** Another publisher has the contact e-mail. */
export class EmailTakenError extends Error {
  override readonly name = "EmailTakenError";
}

/** Active placements keep a publisher or a site from being deleted. */
export class ActivePlacementsError extends Error {
  override readonly name = "ActivePlacementsError";
  readonly count: number;

  constructor(count: number) {
    super("active placements");
    this.count = count;
  }
}

/** Without this token nothing would open the publisher's account. */
export class LastTokenError extends Error {
  override readonly name = "LastTokenError";
}

/** No category has exactly this name. */
export class UnknownCategoryError extends Error {
  override readonly name = "UnknownCategoryError";
  readonly value: string;

  constructor(value: string) {
    super("unknown category");
    this.value = value;
  }
}

/** A value that only the database could judge, because it depends on others. */
export class InvalidFieldError extends Error {
  override readonly name = "InvalidFieldError";
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** What an answer needs is not to be had now. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Postgres' codes for the failures that the service answers for (appendix A of the Postgres manual). */
const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const CHECK_VIOLATION = "23514";

type PostgresError = { code: string; constraint: string | undefined };

/** The Postgres error behind whatever a query threw, or null. Drizzle wraps the driver's error as its cause. */
export const postgresError = (thrown: unknown): PostgresError | null => {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)) {
      const constraint = "constraint" in error && typeof error.constraint === "string" ? error.constraint : undefined;
      return { code: error.code, constraint };
    }
  }
  return null;
};

/** Whether a query broke this unique constraint. */
export const violatesUnique = (thrown: unknown, constraint: string): boolean => {
  const error = postgresError(thrown);
  return error?.code === UNIQUE_VIOLATION && error.constraint === constraint;
};

/** Whether a query named a row that is gone. */
export const violatesForeignKey = (thrown: unknown): boolean => postgresError(thrown)?.code === FOREIGN_KEY_VIOLATION;

/** The name of the check that a query broke, or null. */
export const violatedCheck = (thrown: unknown): string | null => {
  const error = postgresError(thrown);
  return error?.code === CHECK_VIOLATION ? (error.constraint ?? null) : null;
};

/** Whether the values themselves were refused (classes 22 and 23), so that trying again cannot help. */
export const isDataError = (thrown: unknown): boolean => /^2[23]/.test(postgresError(thrown)?.code ?? "");

/**
 * Whether Postgres was not reached, did not answer in time or rightly, or was in no state to: classes 08, 53, 57 and 58,
 * and every failure of the driver that is not Postgres' own.
 */
export const isUnavailable = (thrown: unknown): boolean => {
  const failure = postgresError(thrown);
  if (failure) return /^(?:08|5[378])/.test(failure.code);
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (/^(?:Unavailable|NeonDb)Error$/.test(error.name)) return true;
  }
  return false;
};
