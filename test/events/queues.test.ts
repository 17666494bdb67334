import { beforeAll, describe, expect, it } from "vitest";
import { sharedHarness, type Harness } from "../support/harness.ts";
import { readProjectFile } from "../support/markdown.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const queuesOf = (table: string) =>
  [
    ...readProjectFile("wrangler.toml").matchAll(
      new RegExp(`^\\[\\[queues\\.${table}\\]\\]\n(?:.+\n)*?queue = "(.+)"`, "gm"),
    ),
  ].map(([, name = ""]) => name);

describe("the queues of wrangler.toml", () => {
  it.each(queuesOf("consumers"))("%s has a consumer in the Worker", async (queue) => {
    expect(await h.deliver([], queue)).toMatchObject({ outcome: "ok" });
  });

  it("are all consumed that something is sent to, and so are dead letters", () => {
    expect(queuesOf("consumers").toSorted()).toEqual([...queuesOf("producers"), "lanyap-events-dead"].toSorted());
  });

  it("are no others: messages of one stay where they are", async () => {
    const queue = "lanyap-nothing";
    expect(await h.deliver([{ id: "1", body: {} }], queue)).toMatchObject({ outcome: "exception" });
  });
});
