import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { creativeBody, makeAdvertiser, makeOffer, offerBody } from "../../../support/factories.ts";
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

const plainOf = (macro: string) => KNOWN.split(", ").find((known) => macro.includes(known.slice(1, -1)));

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

  it.each([
    ["https://a.example/?a=%7Bclick_id%7D", ["%7Bclick_id%7D"]],
    ["https://a.example/%7bsite_id%7d?a=%7Bcountry%7d&b={country}&c=%7Bcountry%7d", ["%7bsite_id%7d", "%7Bcountry%7d"]],
    ["https://a.example/?a=%7Bclick_id}#{offer_id%7D", ["%7Bclick_id}", "{offer_id%7D"]],
    ["https://a.example/?a=%7Bclick\n_id%7D", ["%7Bclick_id%7D"]],
  ])("names macros whose braces are encoded: %j", async (url, macros) => {
    const problems = macros.map(
      (macro) => `destinationUrl: has ${macro}, which nothing replaces; write ${plainOf(macro)}`,
    );
    expect(said(await create(url))).toEqual(invalid(...problems));
    const offer = await makeOffer(h.db, advertiserId, {});
    const body = creativeBody({ destinationUrl: url });
    expect(said(await api(h, "POST", `/api/v1/offers/${offer.id}/creatives`, { token, body }))).toEqual(
      invalid(...problems),
    );
  });

  it.each([
    "https://a.example/%7Bfilter%7D?a=%7bFilter%7D&b=%7BCLICK_ID%7D&c=%7B%20click_id%20%7D",
    "https://a.example/?a=%257Bclick_id%257D&b=click_id%7D&c=%7Bclick_id",
  ])("may have other encoded braces, as they were sent: %s", async (destinationUrl) => {
    expect(dataOf(await create(destinationUrl))).toMatchObject({ destinationUrl });
  });
});
