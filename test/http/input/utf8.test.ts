import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../functions/http/errors.ts";
import { readText } from "../../../functions/http/input/utf8.ts";

const app = new Hono()
  .post("/", async (c) => c.json(await readText(c, () => new Error("no UTF-8"))))
  .onError((error, c) => c.json({ refused: error instanceof ApiError ? error.code : error.message }));

/** Returns what is read of a body that says how it is encoded, or why it is refused. */
const read = async (body: string | Uint8Array<ArrayBuffer>, encoding?: string): Promise<unknown> => {
  const answer = await app.request("/", {
    method: "POST",
    body,
    headers: encoding === undefined ? {} : { "Content-Encoding": encoding },
  });
  return answer.json();
};

describe("a body", () => {
  it.each(["", "identity", " identity ", "Identity"])(
    "is read as it is where it is encoded as %j",
    async (encoding) => {
      expect(await read("käse", encoding)).toBe("käse");
    },
  );

  it.each(["gzip", "identity, gzip", "gzip, identity", "br"])(
    "is refused where it is compressed: %s",
    async (encoding) => {
      expect(await read("a", encoding)).toEqual({ refused: "UNSUPPORTED_MEDIA_TYPE" });
    },
  );

  it("that is empty is read, whatever it says of its encoding", async () => {
    expect(await read("", "gzip")).toBe("");
  });

  it("loses the mark of its byte order, and no other one", async () => {
    expect(await read("\ufeff\ufeffa\ufeff")).toBe("\ufeffa\ufeff");
  });

  it.each([[[0xff]], [[0x61, 0xc3]], [[0xed, 0xa0, 0x80]]])("is refused that is no UTF-8: %j", async (bytes) => {
    expect(await read(Uint8Array.from(bytes))).toEqual({ refused: "no UTF-8" });
  });
});
