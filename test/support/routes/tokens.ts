import { makeApiToken } from "../../../db/accounts/credentials/api-tokens.ts";
import { apiTokens } from "../../../db/schema/accounts.ts";
import { api, dataOf, type Method } from "../api.ts";
import { makePublisher } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";

/** Holds a token's rights. */
export type Rights = { access?: "READ" | "WRITE"; revenueAccess?: boolean; grossAccess?: boolean };

type Listed = { id: string; name: string; bearer: string | null };

/**
 * Makes a publisher whose first token shows revenue, and functions to call its routes and to give it tokens with any
 * rights.
 */
export const makeTokenCase = async (h: Harness, platformId: string) => {
  const { id, privateKey } = await makePublisher(h.db, { platformId });
  const ask = (method: Method, path: string, body?: object, token: string = privateKey) =>
    api(h, method, `/api/v1/publishers/${id}/api-tokens${path}`, { token, body });
  const give = async (rights: Rights) => {
    const { bearer, row } = await makeApiToken(id, JSON.stringify(rights), SECRETS.TOKEN_ENCRYPTION_KEY);
    await h.db.insert(apiTokens).values({ ...row, ...rights });
    return { id: row.id, bearer };
  };
  const valid = async () =>
    h.rows<{ id: string }>("select id from api_tokens where publisher_id = $1 and expires_at is null order by id", [
      id,
    ]);
  return { id, privateKey, ask, give, valid };
};

/** Lists a publisher's tokens as one of them, or another caller, sees them. */
export const listTokens = async (ask: Awaited<ReturnType<typeof makeTokenCase>>["ask"], token?: string, query = "") =>
  dataOf<Listed[]>(await ask("GET", query, undefined, token));
