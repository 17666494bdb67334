import { demo } from "../../db/demo/network.ts";
import { demoOffers } from "../../db/demo/offers.ts";

const offer = demoOffers[0]?.id ?? "";

/** Lists ids of the demo network by the beginnings of the paths that use them. */
const IDS: [path: string, id: string][] = [
  ["/api/v1/platforms/", demo.platformId],
  ["/api/v1/publishers/", demo.publisherId],
  ["/api/v1/advertisers/", demo.advertisers.brindlecup],
  ["/api/v1/offers/", offer],
  ["/api/site/", demo.sites.trail],
  ["/api/placements/", demo.placements.live],
];

const BY_NAME: Record<string, unknown> = {
  tokenId: demo.privateKeyId,
  key: demo.publicKey,
  creativeId: "crv_01m7yg6bwjfzxr09kr6a0vpwnh",
  placementId: demo.placements.live,
  sessionId: "s-1",
  "at.orderid": "1001",
  "at.country": "US",
  "at.language": "en",
  dateStart: "20261101",
  dateEnd: "20261122",
};

/** Returns an example of a parameter that works with the demo network; undefined if it is better left out. */
export const exampleOf = (path: string, name: string): unknown => {
  if (name === "id") return IDS.find(([start]) => path.startsWith(start))?.[1];
  if (name === "placementId" && path !== "/api/odata") return undefined;
  if (name === "publisherId") return path === "/api/v1/api-tokens" ? demo.publisherId : undefined;
  return path === "/conversion" ? undefined : BY_NAME[name];
};
