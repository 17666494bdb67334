import { Hono } from "hono";
import * as z from "zod";
import { describe, expect, it, vi } from "vitest";
import { jsonBody, query } from "../../../functions/http/input/validate.ts";

const makeSchema = () => vi.fn(() => z.object({ name: z.string() }));
const json = (name: string) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name }),
});

describe("query", () => {
  it("builds its schema for the first request, and once", async () => {
    const schema = makeSchema();
    const app = new Hono().get("/", query(schema), (c) => c.text(c.req.valid("query").name));
    expect(schema).not.toHaveBeenCalled();
    expect(await (await app.request("/?name=a")).text()).toBe("a");
    expect(await (await app.request("/?name=b")).text()).toBe("b");
    expect(schema).toHaveBeenCalledTimes(1);
  });
});

describe("jsonBody", () => {
  it("builds its schema for the first request, and once", async () => {
    const schema = makeSchema();
    const app = new Hono().post("/", ...jsonBody(schema), (c) => c.text(c.req.valid("json").name));
    expect(schema).not.toHaveBeenCalled();
    expect(await (await app.request("/", json("a"))).text()).toBe("a");
    expect(await (await app.request("/", json("b"))).text()).toBe("b");
    expect(schema).toHaveBeenCalledTimes(1);
  });
});
