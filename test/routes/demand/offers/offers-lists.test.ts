import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, missing, said } from "../../../support/api.ts";
import {
  makeAdvertiser,
  makeOffer,
  makePlatform,
  makePublisher,
  makeSite,
  offerBody,
} from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;

let h: Harness;
let own: Awaited<ReturnType<typeof makePlaces>>;
let other: Awaited<ReturnType<typeof makePlaces>>;

/** Makes a platform with a publisher and a site, and an advertiser. */
const makePlaces = async () => {
  const platform = await makePlatform(h.db);
  const publisher = await makePublisher(h.db, { platformId: platform.id });
  const site = await makeSite(h.db, publisher.id);
  const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
  return { token: platform.token, publisher: publisher.id, site: site.id, advertiser: advertiser.id };
};

beforeAll(async () => {
  h = await sharedHarness();
  own = await makePlaces();
  other = await makePlaces();
});

const LISTS = ["includePublishers", "excludePublishers", "includeSites", "excludeSites"] as const;
type List = (typeof LISTS)[number];

const placeIn = (list: List, places: typeof own) => (list.endsWith("Sites") ? places.site : places.publisher);
const create = (advertiser: string, targeting: object, token: string) =>
  api(h, "POST", "/api/v1/offers", { token, body: offerBody(advertiser, { targeting }) });
const change = (id: string, body: object, token: string) => api(h, "PUT", `/api/v1/offers/${id}`, { token, body });
const refused = (list: List, ...ids: string[]) =>
  invalid(
    `targeting.${list}: may only gain ${list.endsWith("Sites") ? "sites" : "publishers"} that exist, are yours to name and ` +
      `can show this offer; not ${ids.join(", ")}`,
  );
const told = (list: List, id: string) => (refused(list, id)[1] as { details: string[] }).details;
const offersOf = (advertiser: string) =>
  h.rows("select id from offers where advertiser_id = $1 order by id", [advertiser]);

describe.each(LISTS)("%s", (list) => {
  it("takes what is a platform's own, and names what is not", async () => {
    const mine = placeIn(list, own);
    const foreign = placeIn(list, other);
    const unknown = newId(list.endsWith("Sites") ? "site" : "publisher");
    const { id } = dataOf<{ id: string }>(await create(own.advertiser, { [list]: [mine] }, own.token));
    const before = await h.rows("select * from offers where id = $1", [id]);
    const count = await offersOf(own.advertiser);
    for (const stranger of [foreign, unknown, "site_0", "x"]) {
      const targeting = { [list]: [mine, stranger] };
      expect(said(await create(own.advertiser, targeting, own.token))).toEqual(refused(list, stranger));
      expect(said(await change(id, { title: "New", targeting }, own.token))).toEqual(refused(list, stranger));
    }
    expect(await h.rows("select * from offers where id = $1", [id])).toEqual(before);
    expect(await offersOf(own.advertiser)).toEqual(count);
  });

  it("of the network's advertiser takes everybody who exists", async () => {
    const { id: advertiser } = await makeAdvertiser(h.db);
    const everybody = [placeIn(list, own), placeIn(list, other)];
    const { id } = dataOf<{ id: string }>(await create(advertiser, { [list]: everybody }, ADMIN));
    expect(said(await change(id, { targeting: { [list]: [...everybody, "x"] } }, ADMIN))).toEqual(refused(list, "x"));
  });

  it("of a platform's advertiser takes others of the administrator once it is opened to the network", async () => {
    const { id: advertiser } = await makeAdvertiser(h.db, { platformId: (await makePlatform(h.db)).id });
    const targeting = { [list]: [placeIn(list, other)] };
    expect(said(await create(advertiser, targeting, ADMIN))).toEqual(refused(list, placeIn(list, other)));
    const opened = await api(h, "PUT", `/api/v1/advertisers/${advertiser}`, {
      token: ADMIN,
      body: { reach: "NETWORK" },
    });
    expect(opened.status).toBe(200);
    expect((await create(advertiser, targeting, ADMIN)).status).toBe(201);
  });

  it("keeps what it has, and does not gain it again", async () => {
    const gone = newId("site");
    const stays = [placeIn(list, other), gone];
    const { id } = await makeOffer(h.db, own.advertiser, { [list]: stays });
    const mine = placeIn(list, own);
    expect((await change(id, { title: "New" }, own.token)).status).toBe(200);
    const more = await change(id, { targeting: { [list]: [...stays, mine] } }, own.token);
    expect(dataOf(more)).toMatchObject({ title: "New", targeting: { [list]: [...stays, mine] } });
    expect((await change(id, { targeting: { [list]: [mine] } }, own.token)).status).toBe(200);
    expect(said(await change(id, { targeting: { [list]: stays } }, own.token))).toEqual(refused(list, ...stays));
  });
});

it("takes up to 500 sites, each once", async () => {
  const rows = await h.rows<{ id: string }>(
    `insert into sites (id, publisher_id, name, status) select $1 || i, $2, $1 || i, 'active' from generate_series(1, 500) i
    returning id`,
    [newId("site"), own.publisher],
  );
  const ids = rows.map(({ id }) => id);
  const answer = await create(own.advertiser, { includeSites: [ids[0], ...ids.slice(0, 499)] }, own.token);
  expect(dataOf(answer)).toMatchObject({ targeting: { includeSites: ids.slice(0, 499) } });
  expect((await create(own.advertiser, { includeSites: ids }, own.token)).status).toBe(201);
});

it("keeps for each list what that list has", async () => {
  const { id } = await makeOffer(h.db, own.advertiser, { includeSites: [other.site] });
  const targeting = { excludeSites: [other.site] };
  expect(said(await change(id, { targeting }, own.token))).toEqual(refused("excludeSites", other.site));
});

it("names the first twenty of many, and says how many more there are", async () => {
  const ids = Array.from({ length: 23 }, (_, i) => `x${i}`);
  const answer = await create(own.advertiser, { includeSites: ids }, own.token);
  expect(said(answer)).toEqual(refused("includeSites", ...ids.slice(0, 20), "3 more"));
});

it("names what is wrong with every list", async () => {
  const publisher = newId("publisher");
  const site = newId("site");
  const targeting = { includePublishers: [own.publisher, publisher], excludeSites: [site] };
  const both = invalid(...told("includePublishers", publisher), ...told("excludeSites", site));
  expect(said(await create(own.advertiser, targeting, own.token))).toEqual(both);
  const { id } = await makeOffer(h.db, own.advertiser, {});
  expect(said(await change(id, { targeting }, own.token))).toEqual(both);
  const categories = ["B2B > CRM", "B2B > crm", "Nothing"];
  expect(said(await change(id, { targeting: { categories } }, own.token))).toEqual(
    invalid(
      "targeting.categories: has no category named B2B > crm",
      "targeting.categories: has no category named Nothing",
    ),
  );
});

it("tells nothing of another platform's offer", async () => {
  const { id } = await makeOffer(h.db, other.advertiser, {});
  const answer = await change(id, { targeting: { includeSites: ["x"] } }, own.token);
  expect(said(answer)).toEqual(missing("Offer", id));
  const missed = await create(other.advertiser, { includeSites: ["x"] }, own.token);
  expect(said(missed)).toEqual(missing("Advertiser", other.advertiser));
});

describe("a language", () => {
  const EXIST = "must be codes of existing languages";
  const FORM = "must be language codes such as en";

  it.each([
    ["en", "en"],
    ["DE", "de"],
    ["EN", "en"],
    ["gsw", "gsw"],
    ["kl", "kl"],
    ["ff", "ff"],
    ["nds", "nds"],
    ["deu", "de"],
    ["GER", "de"],
    ["iw", "he"],
    ["in", "id"],
    ["ji", "yi"],
    ["nb", "no"],
    ["nn", "no"],
    ["nob", "no"],
    ["NO", "no"],
  ])("%s is kept as %s", async (sent, kept) => {
    const answer = await create(own.advertiser, { languages: [sent] }, own.token);
    expect(dataOf(answer)).toMatchObject({ targeting: { languages: [kept] } });
  });

  it("is kept once, whatever codes it came by", async () => {
    const answer = await create(own.advertiser, { languages: ["de", "deu", "ger", "fr"] }, own.token);
    expect(dataOf(answer)).toMatchObject({ targeting: { languages: ["de", "fr"] } });
  });

  it.each([
    ["zzz", EXIST],
    ["xx", EXIST],
    ["mul", EXIST],
    ["und", EXIST],
    ["e", FORM],
    ["e1", FORM],
    ["en-US", FORM],
  ])("%s is refused", async (sent, problem) => {
    const answer = await create(own.advertiser, { languages: ["en", sent] }, own.token);
    const problems = said(answer);
    expect(problems).toMatchObject([
      400,
      { details: expect.arrayContaining([`targeting.languages.1: ${problem}`]) as unknown },
    ]);
  });

  it("that an offer has from before keeps nobody from changing what else it has", async () => {
    const { id } = await makeOffer(h.db, own.advertiser, { languages: ["zzz"] });
    const answer = await change(id, { title: "New", targeting: { countries: ["CH"] } }, own.token);
    expect(dataOf(answer)).toMatchObject({ title: "New", targeting: { languages: ["zzz"], countries: ["CH"] } });
  });
});
