import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueToken, revokeToken, rotateToken } from "../../../../db/accounts/credentials/api-tokens.ts";
import { listSiteEvents } from "../../../../db/accounts/audit.ts";
import type { PublisherActor } from "../../../../db/accounts/actor.ts";
import { issuePublicKey, revokePublicKey, rotatePublicKey } from "../../../../db/accounts/credentials/public-keys.ts";
import { switchPublisher, switchSite } from "../../../../db/accounts/publishers/switching.ts";
import { deletePublisher } from "../../../../db/accounts/publishers/publishers.ts";
import { NotFoundError } from "../../../../db/core/errors.ts";
import { explainPlacement } from "../../../../db/demand/explain.ts";
import { buildDocuments } from "../../../../db/documents/build.ts";
import { documentKey } from "../../../../db/documents/keys.ts";
import { findPendingZone } from "../../../../db/inventory/partner-zones.ts";
import {
  createPlacement,
  deletePlacement,
  listPlacements,
  requirePlacement,
  updatePlacement,
} from "../../../../db/inventory/placements.ts";
import { createSite, deleteSite, listSites, requireSite, updateSite } from "../../../../db/inventory/sites.ts";
import { api, invalid, said } from "../../../support/api.ts";
import { makeAdvertiser, offerBody } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { makeLarge, rowsBelow, type Large } from "../../../support/large.ts";
import { SECRETS } from "../../../support/secrets.ts";

/** Holds what is below a publisher that was just deleted, before the cron removes the rows. */
let gone: Large;
let h: Harness;
let tokenId: string;

beforeAll(async () => {
  h = await startHarness();
  gone = await makeLarge(h, { sites: 600, placements: 600 });
  await h.rows("insert into partner_zone_jobs (site_id, status) values ($1, 'pending')", [gone.site.id]);
  tokenId =
    (await h.rows<{ id: string }>("select id from api_tokens where publisher_id = $1", [gone.publisher.id]))[0]?.id ??
    "";
  await h.rows("delete from publishers where id = $1", [gone.publisher.id]);
});
afterAll(() => h.close());

const actor = (): PublisherActor => ({
  kind: "publisher",
  publisherId: gone.publisher.id,
  elevated: false,
  access: "WRITE",
  revenueAccess: true,
  grossAccess: false,
});
const switching = <Change>(id: string, change: Change) => ({
  actor: actor(),
  id,
  change,
  callerIpAddress: null,
  reason: undefined,
});
const unit = { name: "Unit", pageType: "THANK_YOU_PAGE" as const };
const page = { skip: 0, take: 10 };
const key = SECRETS.TOKEN_ENCRYPTION_KEY;

/** What a request does whose credential was looked up right before its publisher was deleted. */
const late: [what: string, act: () => Promise<unknown>][] = [
  ["a new site", () => createSite(h.db, gone.publisher.id, { name: "New" }, "pending")],
  ["a site that it had", () => createSite(h.db, gone.publisher.id, { name: gone.site.name }, "pending")],
  ["a site's data", () => updateSite(h.db, gone.publisher.id, gone.site.id, { orderVolume: 1 })],
  ["reading a site", () => requireSite(h.db, gone.publisher.id, gone.site.id)],
  ["a site's end", () => deleteSite(h.db, gone.publisher.id, gone.site.id)],
  ["a site's status", () => switchSite(h.db, switching(gone.site.id, { status: "active" as const }))],
  ["a new placement", () => createPlacement(h.db, gone.publisher.id, { siteId: gone.site.id }, unit)],
  [
    "a new placement by a site's name",
    () =>
      createPlacement(
        h.db,
        gone.publisher.id,
        { storeName: gone.site.name, storeDomain: "a.example", zone: "skipped" },
        unit,
      ),
  ],
  [
    "a new placement on a new site",
    () =>
      createPlacement(h.db, gone.publisher.id, { storeName: "New", storeDomain: "a.example", zone: "skipped" }, unit),
  ],
  ["a placement's activation", () => updatePlacement(h.db, gone.publisher.id, gone.placement.id, { status: "active" })],
  ["reading a placement", () => requirePlacement(h.db, gone.publisher.id, gone.placement.id)],
  ["a placement's end", () => deletePlacement(h.db, gone.publisher.id, gone.placement.id)],
  ["listing placements of a site", () => listPlacements(h.db, gone.publisher.id, { siteId: gone.site.id }, page)],
  ["a new token", () => issueToken(h.db, gone.publisher.id, { name: "New" }, actor(), key)],
  ["a token's rotation", () => rotateToken(h.db, gone.publisher.id, tokenId, 60, actor(), key)],
  ["a token's end", () => revokeToken(h.db, gone.publisher.id, tokenId)],
  ["a new key", () => issuePublicKey(h.db, gone.publisher.id)],
  ["a key's rotation", () => rotatePublicKey(h.db, gone.publisher.id, gone.publisher.publicKey, 60)],
  ["a key's end", () => revokePublicKey(h.db, gone.publisher.id, gone.publisher.publicKey)],
  ["its status", () => switchPublisher(h.db, switching(gone.publisher.id, { status: "active" as const }))],
  ["its audit", () => listSiteEvents(h.db, { kind: "admin" }, gone.site.id, page)],
];

describe("below a publisher that is gone, for a request that was under way", () => {
  it.each(late)("there is nothing to find: %s", async (_, act) => {
    const rows = await rowsBelow(h, gone);
    await expect(act()).rejects.toBeInstanceOf(NotFoundError);
    expect(await rowsBelow(h, gone)).toBe(rows);
    expect(await h.count("placements where status = 'active' and site_id = $1", [gone.site.id])).toBe(0);
  });

  it("lists are empty", async () => {
    const { id } = gone.publisher;
    const nothing = { rows: [], total: 0 };
    expect(await listSites(h.db, id, page, { relations: true, stats: true })).toEqual(nothing);
    expect(await listPlacements(h.db, id, {}, page)).toEqual(nothing);
  });

  it("a second deletion finds it gone", async () => {
    await expect(deletePublisher(h.db, (await makeGone()).publisher.id)).rejects.toBeInstanceOf(NotFoundError);
  });
});

const makeGone = async () => {
  const large = await makeLarge(h, {});
  await h.rows("delete from publishers where id = $1", [large.publisher.id]);
  return large;
};

describe("what is below a publisher that is gone", () => {
  it("builds documents that say so", async () => {
    const { publisher, placement } = gone;
    const keys = [
      documentKey.key(publisher.publicKey),
      documentKey.placement(placement.id),
      documentKey.candidates(placement.id, "US"),
    ];
    const built = await buildDocuments(h.db, keys);
    expect(keys.map((name) => built.get(name)?.value)).toEqual([null, null, null]);
  });

  it("is not explained, and not announced to the partner", async () => {
    expect(await explainPlacement(h.db, { kind: "admin" }, gone.placement.id, "US", [], 10)).toBeNull();
    expect(await findPendingZone(h.db, gone.site.id)).toBeNull();
  });

  it("can be named by no offer", async () => {
    const advertiser = await makeAdvertiser(h.db);
    for (const [field, id] of [
      ["includeSites", gone.site.id],
      ["excludePublishers", gone.publisher.id],
    ] as const) {
      const body = offerBody(advertiser.id, { targeting: { [field]: [id] } });
      const answer = await api(h, "POST", "/api/v1/offers", { token: SECRETS.ADMIN_TOKEN, body });
      expect(said(answer)).toEqual(invalid(expect.stringContaining(`targeting.${field}: may only gain`) as string));
    }
  });

  it.each([
    ["sites", "id, publisher_id, name", "'a', $1, 'a'"],
    ["public_keys", "key, publisher_id", "'a', $1"],
    [
      "webhook_events",
      "id, publisher_id, source, event_type, payload, before, after",
      "'a', $1, '', '', '{}', '{}', '{}'",
    ],
    ["placements", "id, site_id, name", "'a', $2, 'a'"],
    ["partner_zone_jobs", "site_id", "$1 || '_site_1'"],
    [
      "webhook_logs",
      "id, publisher_id, site_id, source, event_type, payload, before, after",
      "'a', $1, $2, '', '', '{}', '{}', '{}'",
    ],
  ])("gains no row: %s", async (table, columns, values) => {
    const { publisher, site } = gone;
    const insert = `insert into ${table} (${columns}) select ${values} from (select $1::text, $2::text) named`;
    await expect(h.rows(insert, [publisher.id, site.id])).rejects.toMatchObject({ code: "23503" });
  });
});
