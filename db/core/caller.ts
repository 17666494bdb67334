import type { NeonQueryFunction } from "@neondatabase/serverless";

/** Names who asks for a change, by which request and from which address, for the audit of what the change does. */
export type Caller = {
  kind: "publisher" | "platform" | "admin";
  id: string | null;
  requestId: string;
  ip: string | null;
};

type Client = NeonQueryFunction<false, false>;

/** Holds what a session of drizzle calls: for a statement alone, and for those of a batch, which the driver has made. */
type Calls = {
  query: (text: string, parameters?: unknown[], options?: object) => Promise<unknown>;
  transaction: (statements: unknown[], options?: object) => Promise<unknown[]>;
};

/**
 * Makes calls of which each is a transaction that names the caller first, where triggers find it. A lone statement becomes
 * one in the same round trip. So no change can forget to say who made it.
 */
export const namingCaller = (client: Client, caller: Caller): Calls => {
  const transaction: Calls["transaction"] = async (statements, options) => {
    const named = client.query("select set_config('lanyap.caller', $1, true)", [JSON.stringify(caller)]);
    return (await client.transaction([named, ...(statements as (typeof named)[])], options)).slice(1);
  };
  return {
    query: async (text, parameters, options) =>
      (await transaction([client.query(text, parameters, options)], options))[0],
    transaction,
  };
};
