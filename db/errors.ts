/** Postgres' codes for the failures that the service answers for (appendix A of the Postgres manual). */
const UNIQUE_VIOLATION = "23505";

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

/** The name of the unique constraint that a query broke, or null when it failed for another reason. */
export const violatedUnique = (thrown: unknown): string | null => {
  const error = postgresError(thrown);
  return error?.code === UNIQUE_VIOLATION ? (error.constraint ?? "") : null;
};

/** Whether the values themselves were refused (classes 22 and 23), so that trying again cannot help. */
export const isDataError = (thrown: unknown): boolean => /^2[23]/.test(postgresError(thrown)?.code ?? "");
