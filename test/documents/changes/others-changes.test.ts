import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateOffer } from "../../../db/demand/offers.ts";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey, type DocumentKey } from "../../../db/documents/keys.ts";
import { api } from "../../support/api.ts";
import { putStored } from "../../support/documents/stored.ts";
import { makeOffer } from "../../support/factories.ts";
import { ask, makeSituation } from "../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

describe("a change that another isolate makes right after an own one", () => {
  let own: Harness;
  beforeAll(async () => {
    own = await startHarness();
  });
  afterAll(() => own.close());

  /**
   * Waits for this isolate's writer: it may have read the database earlier, and would overwrite what others publish.
   */
  const settled = (key: DocumentKey) =>
    own.until(
      async () => own.count("publish_outbox where document_key = $1", [key]),
      (n) => n === 0,
    );

  /** Publishes documents as another isolate's writer does: as they are in the database now. */
  const publish = async (key: DocumentKey) => {
    const built = await buildDocuments(own.db, [key]);
    await putStored(own, key, built.get(key) ?? {});
  };

  /** Sets how long to wait for a change, in milliseconds: less than an own change is remembered. */
  const LIMIT_MS = 60_000;

  it("of an offer is seen once it is published", async () => {
    const { inventory, seen, offer, advertiser } = await makeSituation(own);
    const other = await makeOffer(own.db, advertiser.id, { includeSites: [inventory.site.id] });
    const path = `/api/v1/offers/${other.id}`;
    const changed = await api(own, "PUT", path, { token: SECRETS.ADMIN_TOKEN, body: { title: "Another title" } });
    expect(changed.status).toBe(200);
    expect((await ask(own, inventory, seen)).ids).toContain(offer.id);
    await settled(documentKey.network);
    await updateOffer(own.db, { kind: "admin" }, offer.id, { status: "paused" });
    await publish(documentKey.network);
    const isShown = async () => (await ask(own, inventory, seen)).ids.includes(offer.id);
    expect(await own.until(isShown, (shown) => !shown, LIMIT_MS)).toBe(false);
  });

  it("of a placement is seen once it is published", async () => {
    const { inventory, seen } = await makeSituation(own);
    const token = inventory.publisher.privateKey;
    const body = { data: { brandName: "Pine" } };
    expect((await api(own, "PUT", `/api/placements/${seen}`, { token, body })).status).toBe(200);
    await settled(documentKey.placement(seen));
    await own.rows("update placements set status = 'inactive' where id = $1", [seen]);
    await publish(documentKey.placement(seen));
    const reason = async () => (await ask(own, inventory, seen)).noFill;
    expect(await own.until(reason, (said) => said !== null, LIMIT_MS)).toBe("placement_inactive");
  });
});
