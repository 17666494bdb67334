import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { demo } from "../../../db/demo/network.ts";
import { makeApiToken } from "../../../db/accounts/credentials/api-tokens.ts";
import { newId } from "../../../db/core/ids.ts";
import { makeKey } from "../../../db/core/secrets/secrets.ts";
import { apiTokens } from "../../../db/schema/accounts.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { api, dataOf } from "../api.ts";
import { requestOffers } from "../ask-offers.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";
import { makeReport } from "../tracking/conversions.ts";
import { addressOf, makeWorld, queryOf, ROUTES, type World } from "./every-route.ts";
import type { Principal } from "./matrix.ts";

/** Holds a world with the bearer of each principal. */
export type Callers = { world: World; bearers: Record<Principal, string | undefined> };

/** Adds what requests by customers and advertisers are made from. */
export type Scene = Callers & { shown: Offer; report: object; reported: string };

/** Gives a world's publisher a token that may only read. */
const giveReadOnly = async ({ db }: Harness, { publisher }: World): Promise<string> => {
  const { bearer, row } = await makeApiToken(publisher.id, "Reading", SECRETS.TOKEN_ENCRYPTION_KEY);
  await db.insert(apiTokens).values({ ...row, access: "READ" });
  return bearer;
};

/** Makes a world and another one beside it, with all principals. */
export const makeCallers = async (h: Harness): Promise<Callers> => {
  const [world, other] = [await makeWorld(h), await makeWorld(h)];
  return {
    world,
    bearers: {
      none: undefined,
      malformed: makeKey("private").slice(0, -1),
      publicKey: world.publisher.publicKey,
      conversionSecret: world.advertiser.conversionSecret,
      publisher: world.publisher.privateKey,
      readOnly: await giveReadOnly(h, world),
      otherPublisher: other.publisher.privateKey,
      platform: world.platform.token,
      otherPlatform: other.platform.token,
      administrator: SECRETS.ADMIN_TOKEN,
    },
  };
};

/** Makes callers, an offer that was shown, a report of a conversion that was not made yet, and one that was. */
export const makeScene = async (h: Harness): Promise<Scene> => {
  const callers = await makeCallers(h);
  const { advertiser, offer } = callers.world;
  const asked = await requestOffers(h, { publicKey: demo.publicKey, placementId: demo.placements.live });
  const [shown] = ((await asked.json()) as { offers: Offer[] }).offers;
  if (!shown) throw new Error("the demo network has no offers");
  const { click, fields } = makeReport(offer.id);
  await recordHits(h.db, [click]);
  const reported = newId("event");
  const body = { ...fields, transactionId: reported };
  dataOf(await api(h, "POST", "/conversion", { token: advertiser.conversionSecret, body }));
  return { ...callers, shown, report: fields, reported };
};

/** Describes a request without its credential. */
export type Asked = { method: string; path: string; body?: object | undefined };

/** Names the console's first script, as its page does. */
const consoleScript = (): string =>
  /[\w-]+\.js/.exec(readFileSync(resolve("dist/assets/console/page.html"), "utf8"))?.[0] ?? "";

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

/** Makes the requests of routes beyond management, by their names in the app. */
const OTHERS: Record<string, (scene: Scene, scriptName: string) => Omit<Asked, "method">> = {
  "GET /api/odata": ({ world }) => ({
    path: `/api/odata?placementId=${world.placement.id}&sessionId=s-1&at.orderid=1`,
  }),
  "GET /conversion": () => ({ path: "/conversion" }),
  "POST /conversion": ({ report }) => ({ path: "/conversion", body: report }),
  "POST /conversion/reversal": ({ reported }) => ({ path: "/conversion/reversal", body: { transactionId: reported } }),
  "GET /vdata": ({ shown }) => ({ path: pathOf(shown.beaconUrl) }),
  "POST /vdata": ({ shown }) => ({ path: pathOf(shown.beaconUrl) }),
  "GET /close": ({ shown }) => ({ path: pathOf(shown.closeUrl) }),
  "POST /close": ({ shown }) => ({ path: pathOf(shown.closeUrl) }),
  "GET /click": ({ shown }) => ({ path: pathOf(shown.clickUrl) }),
  "POST /click": ({ shown }) => ({ path: pathOf(shown.clickUrl) }),
  "GET /:file{embed\\.js(?:on)?}": () => ({ path: "/embed.js" }),
  "GET /:file{embed\\.[0-9a-f]{16}\\.js(?:on)?}": (_, scriptName) => ({ path: scriptName }),
  "GET /console/:file{[\\w-]+\\.(?:js|css)}": () => ({ path: `/console/${consoleScript()}` }),
  "GET /docs/:file{[a-z-]+\\.(?:png|svg)}": () => ({ path: "/docs/looks.png" }),
  "GET /docs/:guide{[a-z-]+}": () => ({ path: "/docs/errors" }),
  "GET /console/*": () => ({ path: "/console/sites?search=a" }),
  "GET /icons/:file{[a-z0-9-]+\\.svg}": () => ({ path: "/icons/coffee.svg" }),
  "GET /ui/:file{[a-z]+\\.(?:js|css)}": () => ({ path: "/ui/webview.js" }),
};

/** Makes a route's request, right except for the credential. */
export const askedOf = (name: string, scene: Scene, scriptName: string): Asked => {
  const [method = "", path = ""] = name.split(" ");
  const route = ROUTES.find((entry) => entry.route === name);
  if (!route) return { method, path, ...OTHERS[name]?.(scene, scriptName) };
  const { world } = scene;
  return { method, path: `${addressOf(route, world).path}?${queryOf(route, world)}`, body: route.body?.(world) };
};
