import type { Client } from "./neon.ts";

/** Names who asks for a change, by which request and from which address, for the audit of what the change does. */
export type Caller = {
  kind: "publisher" | "platform" | "admin";
  id: string | null;
  requestId: string;
  ip: string | null;
};

/** Holds what a session of drizzle calls: for a statement alone, and for those of a batch, which the client has made. */
type Calls = {
  query: (...statement: Parameters<Client["query"]>) => Promise<unknown>;
  transaction: Client["transaction"];
};

/**
 * Makes calls of which each is a transaction that names the caller first, where triggers find it. A lone statement becomes
 * one in the same round trip. So no change can forget to say who made it.
 */
export const namingCaller = (client: Client, caller: Caller): Calls => {
  const transaction: Client["transaction"] = async (statements) => {
    const named = client.query("select set_config('lanyap.caller', $1, true)", [JSON.stringify(caller)]);
    return (await client.transaction([named, ...statements])).slice(1);
  };
  return {
    query: async (...statement) => (await transaction([client.query(...statement)]))[0],
    transaction,
  };
};
