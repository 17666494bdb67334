import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { bearerOf } from "../../../functions/http/credentials/auth.ts";

const app = new Hono().get("/", (c) => c.json({ token: bearerOf(c) ?? null, sent: bearerOf(c) !== undefined }));
const read = async (headers: Record<string, string>) => (await app.request("/", { headers })).json();

describe("bearerOf", () => {
  it.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    ["BEARER   a.b-c_d~e+f/g=", "a.b-c_d~e+f/g="],
    ["Bearer", null],
    ["Bearer ", null],
    ["", null],
    ["abc", null],
    ["Basic abc", null],
    ["Bearer a b", "a b"],
    ["Bearerabc", null],
    ["XBearer abc", null],
    ["Bearer\tabc", null],
  ])("reads of %j %j", async (authorization, token) => {
    expect(await read({ authorization })).toEqual({ token, sent: true });
  });

  it("tells a header that was not sent from one that is wrong", async () => {
    expect(await read({})).toEqual({ token: null, sent: false });
  });
});
