import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { makeAdvertiser, makeOffer, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
let advertiserId: string;
const token = SECRETS.ADMIN_TOKEN;

beforeAll(async () => {
  h = await sharedHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});

const create = (destinationUrl: string) =>
  api(h, "POST", "/api/v1/offers", { token, body: offerBody(advertiserId, { destinationUrl }) });
const KNOWN = "{click_id}, {session_id}, {placement_id}, {site_id}, {offer_id}, {country}";
const refused = (...macros: string[]) =>
  invalid(...macros.map((macro) => `destinationUrl: has no macro ${macro}; there are ${KNOWN}`));

describe("a destination", () => {
  it("may have every macro, and several times", async () => {
    const destinationUrl = `https://a.example/?${KNOWN.replaceAll(", ", "&a=")}&b={country}`;
    expect(dataOf(await create(destinationUrl))).toMatchObject({ destinationUrl });
  });

  it.each([
    ["https://a.example/?c={clickid}", ["{clickid}"]],
    ["https://a.example/?c={CLICK_ID}&d={click_id}&e={ country }", ["{CLICK_ID}", "{ country }"]],
    ["https://a.example/?c={x}&d={x}&e={}", ["{x}", "{}"]],
    ["https://a.example/?c={__proto__}&d={constructor}", ["{__proto__}", "{constructor}"]],
  ])("names its unknown macros: %s", async (url, macros) => {
    expect(said(await create(url))).toEqual(refused(...macros));
    const { id } = await makeOffer(h.db, advertiserId, {});
    const changed = await api(h, "PUT", `/api/v1/offers/${id}`, { token, body: { destinationUrl: url } });
    expect(said(changed)).toEqual(refused(...macros));
  });
});
