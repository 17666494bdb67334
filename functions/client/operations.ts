import { successesOf, type Routed } from "./description.ts";
import { isList } from "./methods.ts";
import { docstring } from "./schema-types.ts";

/** Lists operations that may be repeated without harm, though they are not `GET`. */
const REPEATABLE = new Set(["explainOffers", "forecastOffer", "reportConversion", "reverseConversion"]);

/**
 * Holds the limits of single operations: a customer waits for offers, and a page without them is better than a late
 * one.
 */
const LIMITS: Record<string, object> = { getOffers: { timeoutMs: 2_000, retries: 0 } };

/** Describes an operation to the runtime. */
const descriptorOf = (operation: Routed): object => {
  const { operationId, method, path, parameters = [], requestBody } = operation;
  const types = successesOf(operation).map(({ type }) => type);
  return {
    route: `${method} ${path}`,
    ...(requestBody ? { body: true } : {}),
    ...(isList(operation) ? { list: true } : {}),
    ...(parameters.some(({ name }) => name === "Idempotency-Key") ? { keyed: true } : {}),
    ...(REPEATABLE.has(operationId) ? { repeatable: true } : {}),
    ...(types[0] === undefined || types.includes("application/json") ? {} : { accept: types[0] }),
    ...LIMITS[operationId],
  };
};

/** Writes the module with a constant for each operation, so that a bundler keeps only those in use. */
export const operationsModule = (operations: readonly Routed[]): string => {
  const constants = operations.map((operation) => {
    const { operationId, summary } = operation;
    return `${docstring([`${summary}.`])}export const ${operationId}: Operation<"${operationId}"> = ${JSON.stringify(descriptorOf(operation))};\n`;
  });
  return `import type { Operation } from "./request.ts";\n\n${constants.join("")}`;
};
