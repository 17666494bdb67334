/** Holds the package's entry module. */
export const ENTRY = `import { connect } from "./connect.ts";
import * as operations from "./operations.ts";
import type { ClientOptions } from "./options.ts";
import type { Operation } from "./request.ts";
import type { Lanyap } from "./types.ts";

export { LanyapError, isLanyapError, type ErrorCode } from "./error.ts";
export type { ErrorDetails } from "./errors-described.ts";
export type { List } from "./list.ts";
export type { Answer, CallOptions, ClientOptions, Credential, Received } from "./options.ts";
export type * from "./types.ts";

/** Makes a client with a method for each operation. */
export const createClient = (options: ClientOptions): Lanyap => connect(options, operations) as Lanyap;

/**
 * Makes a client of some operations, so that a bundler leaves the others out.
 *
 * @param of operations of lanyap-client/operations, by their names
 */
export const createClientOf = <Name extends keyof Lanyap>(
  options: ClientOptions,
  of: { [Each in Name]: Operation<Each> },
): Pick<Lanyap, Name> => connect(options, of) as Pick<Lanyap, Name>;
`;
