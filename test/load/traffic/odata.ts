import type { Requests } from "./wrk.ts";
import { ids, PUBLIC_KEY } from "../servers/fill.ts";

const query = (placementId: string, session: string, count: number, country: string): string =>
  `/api/odata?placementId=${placementId}&sessionId=${session}&at.orderid=${session}&at.country=${country}` +
  `&at.language=en&at.amount=79.9&at.currency=USD&count=${count}&publicKey=${PUBLIC_KEY}`;

/** Returns the path of one request for offers, from an order in US dollars by an English speaker. */
export const odataPath = (placement: number, session: number, count = 4, country = "US"): string =>
  query(ids.placement(placement), `session-${session}`, count, country);

/**
 * Returns requests for offers, each with a session of its own.
 *
 * @param placements how many placements take turns
 * @param first the number of the first request, which decides its placement
 */
export const odataRequests = (placements: number, count = 4, first = 0): Requests => {
  const path = query('plc_" .. string.format("%026d", n % PLACEMENTS + 1) .. "', 'session-" .. n .. "', count, "US");
  return { path: `"${path.replace("PLACEMENTS", String(placements))}"`, first };
};
