import { HonoBase } from "hono/hono-base";
import type { Router } from "hono/router";
import type { H, RouterRoute } from "hono/types";
import { TrieRouter } from "hono/router/trie-router";
import type { Candidate, PlacementDocument, Stored } from "../../../db/documents/types.ts";
import { renderEnvelope } from "../../../functions/answer/render.ts";
import app from "../../../functions/app.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { decide } from "../../../functions/decision/order.ts";
import { SAMPLE_OFFERS } from "../../../functions/decision/samples.ts";
import { shareOffers } from "../../../functions/documents/sharing.ts";
import { factory } from "../../../functions/http/factory.ts";
import { openToPages } from "../../../functions/http/open.ts";
import { RememberingRouter } from "../../../functions/http/router.ts";
import { candidatesDocument, networkDocument } from "../../support/documents/documents.ts";
import { decideNaively, openByMiddleware, renderNaively } from "../../support/naive/answers.ts";
import { SETTINGS } from "../../support/secrets.ts";
import type { Case } from "./cases.ts";

const BASE = "https://offers.example.com";
const NOW = Date.UTC(2026, 10, 20, 12);
const SEAL = "t1.LUS01m80cd360eq7ak21c5weace3d01m80cd360eq7ak21c5weace3d...".padEnd(150, "x");

/** Makes offers such as a network has: few depend on the order, and few are for one language. */
const makeOffers = (): Candidate[] =>
  Array.from({ length: 40 }, (_, i): Candidate =>
    Object.assign({}, SAMPLE_OFFERS[i % SAMPLE_OFFERS.length], {
      id: `ofr_${String(i).padStart(26, "0")}`,
      priority: 1 + (i % 3),
      ecpmMicros: 2_000_000 + ((i * 19_997) % 9_000_000),
      languages: i % 5 === 0 ? ["de"] : [],
      currencies: i % 7 === 0 ? ["USD", "CAD"] : [],
    }),
  );

const OFFERS = makeOffers();
const CANDIDATES = { offers: OFFERS };
const NETWORK = networkDocument();
const request = (n: number): DecisionRequest => ({
  count: 4,
  session: `session-${n}`,
  arm: "0",
  now: NOW,
  language: "en",
  currency: "USD",
  amount: 79.9,
});

const placement: PlacementDocument = {
  publisherId: "pub_1",
  status: "active",
  isLiveMode: true,
  data: { brandName: "A shop", privacyUrl: "https://store.example/privacy" },
  siteId: "site_1",
  siteName: "A shop",
  siteStatus: "active",
  siteAdsEnabled: true,
  factsChangedAt: 0,
};

const chosen = OFFERS.slice(0, 4);

/** Copies the app's routes to a router. Only the handler of `/api/odata` is a trivial one. */
const appOver = (router: Router<[H, RouterRoute]>) => {
  const copy = new HonoBase({ router });
  for (const { method, path, handler } of app.routes) {
    copy.on(method, path, path === "/api/odata" && method === "GET" ? () => new Response("{}") : handler);
  }
  return copy;
};
const remembering = appOver(new RememberingRouter<[H, RouterRoute]>());
const looking = appOver(new TrieRouter<[H, RouterRoute]>());

const opening = { methods: ["GET"], exposed: ["x-no-fill-reason", "x-request-id"] };
const { open, prepare } = openToPages(opening);
const answerPrepared = prepare({});
const wrapped = factory.createApp().get(
  "/",
  open((c) => answerPrepared(c, "{}")),
);
const byMiddleware = openByMiddleware(opening.exposed, {});
byMiddleware.get("/", () => new Response("{}"));
const odata = new Request(`${BASE}/api/odata`);
const asked = new Request(`${BASE}/`, { headers: { "x-request-id": "req_1" } });

const DOCUMENTS = 300;

/** Makes the documents that memory holds for many placements with the same offers, each parsed separately. */
const makeDocuments = (share: boolean): Candidate[][] =>
  Array.from({ length: DOCUMENTS }, () => {
    const stored: Stored<"candidates"> = { builtAt: NOW, value: candidatesDocument(makeOffers()) };
    if (share) shareOffers(stored);
    return stored.value?.offers ?? [];
  });
const shared = makeDocuments(true);
const apart = makeDocuments(false);
const answerFrom = (documents: readonly Candidate[][], n: number): string =>
  renderEnvelope(
    BASE,
    placement,
    decide({ offers: documents[(n * 7_919) % DOCUMENTS] ?? [] }, NETWORK, request(n)),
    SEAL,
  );

/** Lists the cases that concern whole answers. */
export const answerCases: readonly Case[] = [
  {
    module: "http/router.ts",
    what: "leads to the handler of /api/odata",
    calls: 1,
    fast: () => remembering.fetch(odata),
    plain: () => looking.fetch(odata),
  },
  {
    module: "http/open.ts",
    what: "answers with constant headers",
    calls: 1,
    fast: () => wrapped.fetch(asked, SETTINGS),
    plain: () => byMiddleware.fetch(asked, SETTINGS),
  },
  {
    module: "decision/order.ts",
    what: "chooses 4 of 40 offers",
    calls: 1,
    fast: (n) => decide(CANDIDATES, NETWORK, request(n)),
    plain: (n) => decideNaively(CANDIDATES, NETWORK, request(n)),
  },
  {
    module: "answer/render.ts",
    what: "writes an answer of 4 offers",
    calls: 1,
    fast: () => renderEnvelope(BASE, placement, chosen, SEAL),
    plain: () => renderNaively(BASE, placement, chosen, SEAL),
  },
  {
    module: "documents/sharing.ts",
    what: `answers for ${DOCUMENTS} placements in turn`,
    calls: 1,
    fast: (n) => answerFrom(shared, n),
    plain: (n) => answerFrom(apart, n),
  },
];
