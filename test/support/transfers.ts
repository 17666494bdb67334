import { expect } from "vitest";
import { makeAdvertiser, makePlatform } from "./factories.ts";
import type { Harness } from "./harness.ts";

export const NDJSON = "application/x-ndjson";

/** Writes rows as lines of JSON. */
export const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

type Row = { row: number; status: string; id: string | null; error?: { code: string; details?: unknown } };
type Result = { created: number; updated: number; refused: number; rows: Row[] };

/** Describes an exported offer. */
export type Exported = Record<string, unknown> & { id: string; name: string; creatives: Record<string, unknown>[] };

/** Makes a platform, with calls to import and export its offers. */
export const makeImporter = async (h: Harness) => {
  const platform = await makePlatform(h.db);
  const send = async (body: string | Uint8Array<ArrayBuffer>, type = NDJSON, query = "", token = platform.token) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const response = await h.fetch(`/api/v1/offers/import?${query}`, { method: "POST", headers, body });
    return { status: response.status, headers: response.headers, json: (await response.json()) as { data: Result } };
  };
  const take = async (query: string, accept = NDJSON) => {
    const headers = { authorization: `Bearer ${platform.token}`, accept };
    const response = await h.fetch(`/api/v1/offers/export?${query}`, { headers });
    expect(response.status).toBe(200);
    return { text: await response.text(), headers: response.headers };
  };
  return {
    token: platform.token,
    send,
    take,
    advertiser: async () => (await makeAdvertiser(h.db, { platformId: platform.id })).id,
    /** Exports all offers of an advertiser. */
    exported: async (advertiserId: string) =>
      (await take(`advertiserId=${advertiserId}`)).text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Exported),
  };
};

export type Importer = Awaited<ReturnType<typeof makeImporter>>;
