import type { Offer } from "#client";
import { describe, expect, it } from "vitest";
import {
  changedBody,
  copyName,
  creativeBody,
  creativeFields,
  emptyMeans,
  entriesOf,
  entriesText,
  fieldsOf,
  forecastBody,
  intervalOf,
  LISTS,
  meantTime,
  offerBody,
  wrongFields,
  wrongTimes,
} from "../../../functions/console/core/offers/offer.ts";

const offer: Offer = {
  id: "ofr_1",
  advertiserId: "adv_1",
  name: "Name",
  title: "Title",
  header: "Header",
  description: "Two\nlines",
  ctaText: "Yes",
  declineButtonText: "No",
  termsUrl: "https://shop.example/terms",
  icon: { url: "/icons/coffee.svg", width: 64, height: 48 },
  destinationUrl: "https://shop.example/?c={click_id}",
  status: "active",
  startsAt: "2026-11-22T09:30:00.000Z",
  endsAt: null,
  priority: 3,
  pricing: "CPA",
  bidMicros: 450_000,
  publisherShareBps: 6_550,
  dailyCap: 100,
  lifetimeCap: null,
  pacing: "EVEN",
  usage: { today: 1, lifetime: 2, reached: null },
  creativeSplit: "LEARNED",
  creativeWeight: 50,
  targeting: {
    countries: ["US", "DE"],
    languages: [],
    currencies: ["USD"],
    amountMin: 10,
    amountMax: null,
    paymentTypes: [],
    categories: ["Travel, Tourism, and Transport > Airlines", "Apparel and Fashion > Footwear"],
    ageDemographics: [],
    genderDemographics: [],
    includePublishers: [],
    excludePublishers: [],
    includeSites: ["site_1"],
    excludeSites: [],
  },
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-02T00:00:00.000Z",
};

describe("the form of an offer", () => {
  it("gives back what it was given", () => {
    const { id: _, advertiserId: __, usage: ___, status: ____, createdAt: _____, updatedAt: ______, ...rest } = offer;
    expect(offerBody(fieldsOf(offer))).toEqual(rest);
  });

  it("sends what was changed, and nothing else", () => {
    const before = fieldsOf(offer);
    const body = changedBody(offerBody({ ...before, bid: "0.5", countries: " US ,, FR" }), offerBody(before));
    expect(body).toEqual({ bidMicros: 500_000, targeting: { countries: ["US", "FR"] } });
    const wider = changedBody(offerBody({ ...before, iconWidth: "65", amountMin: "" }), offerBody(before));
    expect(wider).toEqual({ icon: { ...offer.icon, width: 65 }, targeting: { amountMin: null } });
    expect(changedBody(offerBody(before), offerBody(before))).toEqual({});
  });

  it("sends no list whose entries are only in another order, or written twice", () => {
    const before = { ...fieldsOf(offer), countries: "US, DE", excludeSites: "site_2, site_1" };
    const other = { ...before, countries: "DE US,US", excludeSites: "site_1\nsite_2" };
    expect(changedBody(offerBody(other), offerBody(before))).toEqual({});
    const body = changedBody(offerBody({ ...other, languages: "en" }), offerBody(before));
    expect(body).toEqual({ targeting: { languages: ["en"] } });
  });

  it.each([
    ["bid", "", ""],
    ["bid", "0.000001", 1],
    ["bid", "0.29", 290_000],
    ["bid", "x", "x"],
  ])("reads %s %j as %j", (name, text, value) => {
    expect(forecastBody({ ...fieldsOf(offer), [name]: text })["bidMicros"]).toBe(value);
  });

  it("asks for a forecast with the dates, so that it says that they are left out", () => {
    expect(forecastBody(fieldsOf(offer))).toMatchObject({ startsAt: offer.startsAt, endsAt: null });
  });

  it("clears what is emptied", () => {
    const body = offerBody({ ...fieldsOf(offer), dailyCap: "", termsUrl: " ", iconUrl: "", startsAt: "" });
    expect(body).toMatchObject({ dailyCap: null, termsUrl: null, icon: null, startsAt: null });
  });

  it("takes no empty number for nothing", () => {
    const body = offerBody({ ...fieldsOf(offer), share: "", priority: " ", creativeWeight: "", iconWidth: "" });
    expect(body).toMatchObject({ publisherShareBps: "", priority: "", creativeWeight: "", icon: { width: "" } });
    expect(creativeBody({ ...creativeFields({}), weight: "" })).toMatchObject({ weight: "" });
  });

  it.each([
    ["", null, {}],
    ["2026-11-22T09:30", new Date(2026, 10, 22, 9, 30).toISOString(), {}],
    ["12026-11-22T09:30", "12026-11-22T09:30", { startsAt: "This is not a valid date" }],
  ])("reads %j as a time, and tells what is none", (written, startsAt, wrong) => {
    const fields = { ...fieldsOf(offer), startsAt: written };
    expect(offerBody(fields)).toMatchObject({ startsAt });
    expect(wrongTimes(fields)).toEqual(wrong);
  });

  it.each([
    ["the offer's own, which a field shows to the minute", {}, "2026-11-22T09:30:45.000Z"],
    ["what is typed", { startsAt: "2026-11-22T10:15" }, new Date(2026, 10, 22, 10, 15).toISOString()],
    ["none where it is empty", { startsAt: "" }, null],
    ["none where it is no date", { startsAt: "12026-11-22T09:30" }, null],
  ])("means %s", (_, typed, time) => {
    const own = { ...offer, startsAt: "2026-11-22T09:30:45.000Z" };
    expect(meantTime({ ...fieldsOf(own), ...typed }, "startsAt", own)).toBe(time);
  });

  it("means no time as long as a new offer has none", () => {
    expect(meantTime(fieldsOf({}), "endsAt", {})).toBeNull();
  });

  it("begins with what is usual", () => {
    expect(offerBody(fieldsOf({}))).toMatchObject({
      pricing: "CPC",
      publisherShareBps: 7_000,
      priority: 5,
      dailyCap: null,
      pacing: "ASAP",
      creativeSplit: "WEIGHTS",
      creativeWeight: 100,
    });
    expect(creativeBody(creativeFields({}))).toMatchObject({ weight: 100, icon: null });
    const usual = {
      title: "",
      declineButtonText: "No, thanks",
      termsUrl: "",
      iconUrl: "",
      iconWidth: "96",
      iconHeight: "96",
    };
    expect(fieldsOf({})).toMatchObject({ ...usual, bid: "" });
    expect(creativeFields({})).toMatchObject(usual);
  });

  it("shows dollars and percents", () => {
    expect(fieldsOf(offer)).toMatchObject({ bid: "0.45", share: "65.5" });
  });

  it("gives back a creative", () => {
    const { title, declineButtonText, icon } = offer;
    const body = creativeBody(creativeFields({ title, declineButtonText, icon, weight: 30 }));
    expect(body).toMatchObject({ title, declineButtonText, icon, weight: 30 });
  });

  it("has for each list what it is called, and how it is chosen", () => {
    expect(LISTS[0]).toEqual(["countries", { label: "Countries", hint: "Two-letter codes, such as US, DE" }]);
    expect(LISTS.map(([name]) => name).toSorted()).toEqual(
      Object.keys(offer.targeting)
        .filter((name) => !name.startsWith("amount"))
        .toSorted(),
    );
  });

  it.each([
    ["countries", "US, DE,,FR", ["US", "DE", "FR"]],
    ["countries", " US DE US", ["US", "DE"]],
    ["includeSites", "site_1\nsite_2\r\n site_3,", ["site_1", "site_2", "site_3"]],
    ["categories", "A, B > C\nD", ["A, B > C", "D"]],
    ["languages", " ", []],
  ] as const)("reads the entries of %s from %j", (name, written, entries) => {
    expect(entriesOf(name, written)).toEqual(entries);
    expect(entriesOf(name, entriesText(name, entries))).toEqual(entries);
  });

  it("says what an empty list means", () => {
    expect([emptyMeans("countries"), emptyMeans("excludeSites")]).toEqual(["All", "None"]);
  });

  it("shows a refusal at the field that it is of", () => {
    expect(
      wrongFields({
        bidMicros: "a",
        "targeting.countries": "b",
        "icon.url": "c",
        title: "d",
        "icon.width": "e",
        "icon.height": "f",
      }),
    ).toEqual({ bid: "a", countries: "b", iconUrl: "c", title: "d", iconWidth: "e", iconHeight: "f" });
  });
});

it.each([
  ["Tea", "Tea (copy)"],
  ["a".repeat(255), `${"a".repeat(246)} (copy)`],
  [`${"a".repeat(245)}😀`, `${"a".repeat(245)} (copy)`],
  [`${"a".repeat(244)}😀b`, `${"a".repeat(244)}😀 (copy)`],
])("names a copy of %j", (name, copy) => {
  expect(copyName(name)).toBe(copy);
});

describe("the interval of a rate", () => {
  it("is that of Wilson", () => {
    const { low = 0, high = 0 } = intervalOf(10, 100) ?? {};
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(["0.0552", "0.1744"]);
    expect(intervalOf(0, 10)?.low).toBe(0);
    expect(intervalOf(10, 10)?.high).toBeCloseTo(1, 10);
    expect(intervalOf(0, 0)).toBeNull();
  });
});
