import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import {
  api,
  dataOf,
  disallowed,
  idOf,
  invalid,
  missing,
  said,
  timestamp,
  wrapped,
  type Method,
} from "../../support/api.ts";
import { creativeBody, makeAdvertiser, makeCreative, makeOffer, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;
let advertiserId: string;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
});

const ask = (method: Method, path: string, body?: object, token = platform.token) =>
  api(h, method, `/api/v1/offers/${path}`, { token, body });
const anOffer = () => makeOffer(h.db, advertiserId, { includeSites: [newId("site")] });

const message = (done: string) => `Creative ${done} successfully`;

type Answered = { id: string; number: number; status: string };
const stateOf = async (offerId: string) =>
  (
    await h.rows<{ revision: number; creative: number; alternatives: number; destinations: unknown; changed: boolean }>(
      `select o.revision, o.creative, o.alternatives, r.creative_destinations as destinations, o.changed_at > o.created_at as changed
      from offers o join offer_revisions r on r.offer_id = o.id and r.revision = o.revision where o.id = $1`,
      [offerId],
    )
  )[0];

describe("a creative", () => {
  it("is created, read, listed, changed, stopped and archived", async () => {
    const offer = await anOffer();
    const path = `${offer.id}/creatives`;
    const body = creativeBody();
    const created = await ask("POST", path, body);
    const creative = {
      ...body,
      id: idOf("crv"),
      offerId: offer.id,
      number: 2,
      termsUrl: null,
      icon: null,
      weight: 100,
      status: "active",
      createdAt: timestamp,
      updatedAt: timestamp,
    };
    expect(said(created)).toEqual([201, { success: true, data: creative, message: message("created") }]);
    const own = dataOf<Answered>(created);
    expect(said(await ask("GET", `${path}/${own.id}`))).toEqual([200, { success: true, data: own }]);
    const icon = { url: "/icons/coffee.svg", width: 96, height: 96 };
    const change = { ...own, name: "Renamed", icon, weight: 0 };
    const changed = { ...creative, ...change, updatedAt: timestamp };
    expect(said(await ask("PUT", `${path}/${own.id}`, change))).toEqual([
      200,
      { success: true, data: changed, message: message("updated") },
    ]);
    const paused = { ...changed, status: "paused" };
    expect(said(await ask("PATCH", `${path}/${own.id}/status`, { status: "paused", reason: "Try" }))).toEqual([
      200,
      { success: true, data: paused, message: "Creative status updated to paused" },
    ]);
    expect(said(await ask("DELETE", `${path}/${own.id}`))).toEqual([
      200,
      { success: true, message: message("archived") },
    ]);
    const second = dataOf<Answered>(await ask("POST", path, creativeBody({ weight: 7, status: "paused" })));
    expect(second).toMatchObject({ number: 3, weight: 7, status: "paused" });
    expect(said(await ask("GET", path))).toEqual([
      200,
      { success: true, data: [{ ...paused, status: "archived" }, second] },
    ]);
  });

  it("leaves the offer as it is, but for what it counts", async () => {
    const offer = await anOffer();
    const before = dataOf<object>(await ask("GET", offer.id));
    const { id } = dataOf<Answered>(await ask("POST", `${offer.id}/creatives`, creativeBody()));
    await ask("PUT", `${offer.id}/creatives/${id}`, { title: "New", destinationUrl: "https://advertiser.example/new" });
    expect(dataOf(await ask("GET", offer.id))).toEqual(before);
  });

  it("makes a revision of its offer where it leads elsewhere or stops, and versions of its own", async () => {
    const offer = await anOffer();
    const { id, number } = await makeCreative(h.db, offer.id);
    const path = `${offer.id}/creatives/${id}`;
    const first = "https://advertiser.example/another?click={click_id}";
    const versionOf = async () =>
      (await h.rows<{ version: number }>("select version from offer_creatives where id = $1", [id]))[0]?.version;
    const unchanged = { revision: 1, creative: 1, alternatives: 1, changed: false };
    expect(await stateOf(offer.id)).toEqual({ ...unchanged, destinations: { [number]: first } });
    dataOf(await ask("PUT", path, { title: "New", weight: 3, name: "Other" }));
    expect(await stateOf(offer.id)).toMatchObject(unchanged);
    expect(await versionOf()).toBe(2);
    dataOf(await ask("PUT", path, { weight: 4 }));
    expect(await versionOf()).toBe(2);
    const destinationUrl = "https://advertiser.example/new";
    dataOf(await ask("PUT", path, { destinationUrl }));
    const led = {
      revision: 2,
      creative: 1,
      alternatives: 1,
      changed: true,
      destinations: { [number]: destinationUrl },
    };
    expect(await stateOf(offer.id)).toEqual(led);
    expect(await versionOf()).toBe(3);
    dataOf(await ask("PATCH", `${path}/status`, { status: "paused" }));
    expect(await stateOf(offer.id)).toEqual({ ...led, revision: 3, alternatives: 0 });
    expect(
      await h.rows("select creative_destinations as d from offer_revisions where offer_id = $1 order by revision", [
        offer.id,
      ]),
    ).toEqual([first, destinationUrl, destinationUrl].map((url) => ({ d: { [number]: url } })));
  });

  it("goes with its offer, where nobody has seen that", async () => {
    const offer = await anOffer();
    await makeCreative(h.db, offer.id);
    expect(said(await ask("DELETE", offer.id))).toEqual([
      200,
      { success: true, message: "Offer deleted successfully" },
    ]);
    expect(await h.rows("select from offer_creatives where offer_id = $1", [offer.id])).toEqual([]);
  });

  it("is audited as what it is, for its platform", async () => {
    const offer = await anOffer();
    const { id } = dataOf<Answered>(await ask("POST", `${offer.id}/creatives`, creativeBody()));
    dataOf(await ask("PUT", `${offer.id}/creatives/${id}`, { title: "New" }));
    const answer = await api(h, "GET", `/api/v1/audit?resource=creative&id=${id}`, { token: platform.token });
    const resource = { kind: "creative", id };
    expect(dataOf(answer)).toMatchObject([
      { resource, action: "update", before: { title: "Another title" }, after: { title: "New" } },
      { resource, action: "create", after: { title: "Another title", offerId: offer.id, weight: 100 } },
    ]);
  });
});

describe("creatives are refused", () => {
  it("beyond four of an offer, its own included, until one is archived", async () => {
    const offer = await anOffer();
    const path = `${offer.id}/creatives`;
    const made = [await makeCreative(h.db, offer.id), await makeCreative(h.db, offer.id, { status: "paused" })];
    await makeCreative(h.db, offer.id);
    const full = await ask("POST", path, creativeBody());
    expect(said(full)).toEqual([409, wrapped("CONFLICT")]);
    dataOf(await ask("PATCH", `${path}/${made[1]?.id}/status`, { status: "archived" }));
    expect(dataOf<Answered>(await ask("POST", path, creativeBody())).number).toBe(5);
    expect((await ask("PATCH", `${path}/${made[1]?.id}/status`, { status: "active" })).status).toBe(409);
    expect(said(await ask("PUT", `${path}/${made[1]?.id}`, { status: "active" }))).toEqual([409, wrapped("CONFLICT")]);
    const both = await makeOffer(h.db, advertiserId);
    await makeCreative(h.db, both.id);
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", `${both.id}/creatives`, creativeBody())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409]);
  });

  it("after a hundred that an offer ever had", async () => {
    const offer = await anOffer();
    await h.rows(
      `insert into offer_creatives (id, offer_id, name, title, header, description, cta_text, decline_button_text, destination_url, status)
      select 'crv_' || $1 || i, $1, 'n', 't', 'h', 'd', 'c', 'd', 'https://advertiser.example/', 'archived' from generate_series(1, 99) i`,
      [offer.id],
    );
    expect(said(await ask("POST", `${offer.id}/creatives`, creativeBody()))).toEqual([409, wrapped("CONFLICT")]);
  });

  it.each([
    [{ weight: 101 }, "weight: must be at most 100"],
    [{ weight: 0.5 }, "weight: must be an integer"],
    [{ title: "" }, "title: must not be empty"],
    [{ destinationUrl: "http://advertiser.example/" }, "destinationUrl: must be an https URL"],
    [{ priority: 1 }, "priority: is not known"],
  ])("with %j", async (given, problem) => {
    const offer = await anOffer();
    const { id } = await makeCreative(h.db, offer.id);
    const refused = [
      await ask("POST", `${offer.id}/creatives`, { ...creativeBody(), ...given }),
      await ask("PUT", `${offer.id}/creatives/${id}`, given),
    ];
    for (const answer of refused) expect(said(answer)).toEqual(invalid(expect.stringContaining(problem) as string));
  });

  it("without what every creative has", async () => {
    const offer = await anOffer();
    expect(said(await ask("POST", `${offer.id}/creatives`, {}))).toEqual(
      invalid(
        ...["name", "title", "header", "description", "ctaText", "declineButtonText", "destinationUrl"].map(
          (field) => `${field}: is required`,
        ),
      ),
    );
  });

  it("with a status that there is not, and with another offer", async () => {
    const offer = await anOffer();
    const { id } = await makeCreative(h.db, offer.id);
    const path = `${offer.id}/creatives/${id}`;
    expect(said(await ask("PATCH", `${path}/status`, { status: "gone" }))).toEqual(
      disallowed("status", "gone", "active | paused | archived"),
    );
    expect(said(await ask("PUT", path, { offerId: newId("offer") }))).toEqual(invalid("offerId: cannot be changed"));
  });

  it("of offers that are another's, or under another offer", async () => {
    const foreign = await makeOffer(h.db, (await makeAdvertiser(h.db)).id);
    const { id } = await makeCreative(h.db, foreign.id);
    const offer = await anOffer();
    expect(said(await ask("GET", `${foreign.id}/creatives/${id}`))).toEqual(missing("Offer", foreign.id));
    expect(said(await ask("PUT", `${foreign.id}/creatives/${id}`, { title: "x" }))).toEqual(
      missing("Offer", foreign.id),
    );
    expect(said(await ask("POST", `${foreign.id}/creatives`, creativeBody()))).toEqual(missing("Offer", foreign.id));
    expect(said(await ask("GET", `${offer.id}/creatives/${id}`))).toEqual(missing("Creative", id));
    expect(said(await ask("PUT", `${offer.id}/creatives/${id}`, { title: "x" }))).toEqual(missing("Creative", id));
    expect(await h.rows("select title from offer_creatives where id = $1", [id])).toEqual([{ title: "Another title" }]);
  });
});
