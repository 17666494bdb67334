// Uses the package as its users may. It is compiled and run by tests, beside the installed package.
import {
  createClient,
  createClientOf,
  isLanyapError,
  LanyapError,
  type Answer,
  type CreateOfferBody,
  type ErrorCode,
  type GetOffersParameters,
  type Lanyap,
  type List,
  type Placement,
  type Site,
} from "lanyap-client";
import * as operations from "lanyap-client/operations";
import { getMe, listSites } from "lanyap-client/operations";

declare const process: { argv: string[] };
const [, , url = "", token = "", publicKey = "", placementId = ""] = process.argv;

const lanyap: Lanyap = createClient({
  url,
  token,
  retries: 1,
  timeoutMs: 120_000,
  headers: { "x-request-id": "uses-1" },
});
const answer: Answer<{ data: Site; message: string }> = await lanyap.createSite({ name: "Uses" });
const tag: string | null = answer.etag;
const placed = await lanyap.createPlacement({ siteId: answer.data.id, name: "One", pageType: "THANK_YOU_PAGE" });
const placement: Placement = placed.data;
await lanyap.updatePlacement(placement.id, { name: "Two", data: { adDisplayDelay: 5 } }, { ifMatch: placed.etag });
await lanyap.updateSite(answer.data.id, { orderVolume: 7 }, { ifMatch: null, dryRun: true });

const call: List<{ id: string }, unknown> = lanyap.listSites({ take: 1, stats: true });
const names: string[] = [];
for await (const site of lanyap.listSites()) names.push(site.name);
const { data, pagination } = await lanyap.listSites({ skip: 0, take: undefined, signal: new AbortController().signal });
const total: number = pagination.total;

// Comes before offers are asked for, which a report counts at some time.
const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const report = await lanyap.getReport({ dateStart: today, dateEnd: today });
const rows: number = report.data.length;
const csv: string = (await lanyap.getReport({ dateStart: today, dateEnd: today, accept: "text/csv" })).data;

const asked: GetOffersParameters = {
  placementId,
  sessionId: "s-1",
  at: { email: "customer@example.com", country: "US" },
};
const { data: offers } = await createClient({ url, token: () => publicKey, timeoutMs: 120_000 }).getOffers(asked);

const reasonOf = (code: ErrorCode): string => (code === "RATE_LIMIT_EXCEEDED" || code === "TIMEOUT" ? "later" : code);
const refusal = await lanyap.getSite("site_0").then(
  () => "none",
  (error: unknown) => {
    if (isLanyapError(error, "RESOURCE_NOT_FOUND")) return `${error.details.resourceType} ${error.requestId ?? ""}`;
    return error instanceof LanyapError ? reasonOf(error.code) : "unknown";
  },
);

export const offer: CreateOfferBody = {
  advertiserId: "adv_0",
  name: "Autumn roast",
  title: "A bag of autumn roast, on us",
  header: "Thank you",
  description: "Try it.",
  ctaText: "Yes",
  declineButtonText: "No",
  destinationUrl: "https://coffee.example/",
  pricing: "CPC",
  bidMicros: 350_000,
  startsAt: null,
  endsAt: undefined,
  targeting: { countries: ["US"], amountMin: null },
};
/** Tells what all of this may be called with, which needs no run. */
export const more = (): unknown => [
  call,
  tag,
  lanyap.importOffers([offer], { atomic: true }),
  lanyap.importOffers("name,title", { contentType: "text/csv" }),
  lanyap.exportOffers().then(({ data: [first] }) => first?.name),
  // What was read may be sent as it is.
  lanyap.exportOffers().then(({ data: exported }) => lanyap.importOffers(exported)),
  lanyap.getOffer("ofr_0").then(({ data: read }) => lanyap.updateOffer(read.id, read)),
  lanyap.getOffer("ofr_0").then(({ data: read }) => lanyap.importOffers([read], { copyTo: "adv_0" })),
  createClientOf({ url }, operations).getHealth(),
];

const small = createClientOf({ url, token: async () => token }, { getMe, listSites });
const who = await small.getMe();
console.log(
  [names, data.length, total, offers.offers.length, rows, csv.split("\n").length, refusal, who.data.kind].join("; "),
);
