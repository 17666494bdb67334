import { listing, type Page } from "./list.ts";
import type { ClientOptions } from "./options.ts";
import { request, type Operation, type Options } from "./request.ts";

/** Makes a method of an operation. It takes the ids of its path, its body if it has one, and parameters with options. */
const methodOf =
  (client: ClientOptions, operation: Operation) =>
  (...given: unknown[]): Promise<unknown> => {
    const left = [...given];
    const ids = [...operation.route.matchAll(/\{/g)].map(() => left.shift());
    const body = operation.body ? left.shift() : undefined;
    const options = (left[0] ?? {}) as Options;
    const call = (more: object) => request(client, operation, ids, body, { ...options, ...more });
    return operation.list ? listing(call as (more: object) => Promise<Page>) : call({});
  };

/** Makes a method of each operation, by its name. */
export const connect = (client: ClientOptions, operations: Readonly<Record<string, Operation>>): object =>
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, methodOf(client, operation)]));
