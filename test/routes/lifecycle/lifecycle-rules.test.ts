import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { api, disallowed, invalid, said } from "../../support/api.ts";
import { makeInventory } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;

beforeAll(async () => {
  h = await sharedHarness();
});
beforeEach(async () => {
  inventory = await makeInventory(h.db);
});

const SUBJECTS = ["publisher", "site"] as const;
type Subject = (typeof SUBJECTS)[number];

const patch = (subject: Subject, what: "status" | "ads", body: unknown) => {
  const root = subject === "publisher" ? "/api/v1/publishers" : "/api/site";
  const token = inventory.publisher.privateKey;
  return api(h, "PATCH", `${root}/${inventory[subject].id}/${what}`, { token, body });
};

const audit = (columns: string) =>
  h.rows(
    `select ${columns} from webhook_events where publisher_id = $1
     union all select ${columns} from webhook_logs where publisher_id = $1`,
    [inventory.publisher.id],
  );

const expectNothingChanged = async () => {
  const rows = await h.rows(
    `select p.status, p.ads_enabled as ads, s.status as site, s.ads_enabled as site_ads,
       p.updated_at = $2 and s.updated_at = $3 as untouched
     from publishers p join sites s on s.publisher_id = p.id where p.id = $1`,
    [inventory.publisher.id, inventory.publisher.updatedAt, inventory.site.updatedAt],
  );
  expect(rows).toEqual([{ status: "active", ads: true, site: "active", site_ads: true, untouched: true }]);
  expect(await audit("id")).toEqual([]);
};

describe.each(SUBJECTS)("the body of a %s's switch", (subject) => {
  it.each(["pending", "ACTIVE", " active", "", null, 1, true, ["active"], { status: "active" }, "__proto__"])(
    "status is refused as %j",
    async (status) => {
      const answer = await patch(subject, "status", { status });
      expect(said(answer)).toEqual(disallowed("status", status, "active | inactive"));
      await expectNothingChanged();
    },
  );

  it.each(["true", "", null, 0, 1, [true], {}])("adsEnabled is refused as %j", async (adsEnabled) => {
    const answer = await patch(subject, "ads", { adsEnabled });
    expect(said(answer)).toEqual(disallowed("adsEnabled", adsEnabled, "boolean"));
    await expectNothingChanged();
  });

  it.each([{}, { adsEnabled: true }, { reason: "none" }])("status is missing in %j", async (body) => {
    expect(said(await patch(subject, "status", body))).toEqual(invalid("status: is required"));
    await expectNothingChanged();
  });

  it.each([{}, { status: "inactive" }, { reason: "none" }])("adsEnabled is missing in %j", async (body) => {
    expect(said(await patch(subject, "ads", body))).toEqual(invalid("adsEnabled: is required"));
    await expectNothingChanged();
  });

  it.each([
    [null, "must be a string"],
    [5, "must be a string"],
    [["why"], "must be a string"],
    ["x".repeat(2001), "must have at most 2000 characters"],
    ["nul \0", "must not contain NUL or unpaired surrogates"],
  ])("reason is refused as %j", async (reason, problem) => {
    const refusal = invalid(`reason: ${problem}`);
    expect(said(await patch(subject, "status", { status: "inactive", reason }))).toEqual(refusal);
    expect(said(await patch(subject, "ads", { adsEnabled: false, reason }))).toEqual(refusal);
    await expectNothingChanged();
  });

  it.each([
    ["x".repeat(2000), "x".repeat(2000)],
    [` ${"💐".repeat(2000)}\n`, "💐".repeat(2000)],
    ["", ""],
  ])("reason is accepted as %j", async (reason, stored) => {
    expect((await patch(subject, "status", { status: "inactive", reason })).status).toBe(200);
    expect(await audit("reason")).toEqual([{ reason: stored }]);
  });

  it("both problems show when both are there", async () => {
    const answer = await patch(subject, "status", { reason: 5 });
    expect(said(answer)).toEqual(invalid("status: is required", "reason: must be a string"));
    await expectNothingChanged();
  });

  it("changes only what its route is for", async () => {
    expect((await patch(subject, "status", { status: "inactive", adsEnabled: false })).json).toMatchObject({
      data: { status: "inactive", adsEnabled: true },
    });
    expect((await patch(subject, "ads", { adsEnabled: false, status: "active" })).json).toMatchObject({
      data: { status: "inactive", adsEnabled: false },
    });
  });

  it("every switch is recorded, also one that changes nothing", async () => {
    for (let i = 0; i < 2; i++) expect((await patch(subject, "ads", { adsEnabled: false })).status).toBe(200);
    expect(await audit(`before->'adsEnabled' as before, after->'adsEnabled' as after`)).toEqual(
      expect.arrayContaining([
        { before: true, after: false },
        { before: false, after: false },
      ]),
    );
  });
});
