import type { Harness } from "../harness.ts";
import { DAY } from "../tracking/hits.ts";
import { deliverSome, estimate, learn, makeOne } from "./learn.ts";

type At = Parameters<typeof deliverSome>[1];

/** Makes what tests of shifts need: offers that were clicked on some days, and a cron that judges them. */
export const shifting = (harness: () => Harness) => {
  /** Lets an offer be shown some days ago, and clicked. */
  const deliverAt = (at: At, daysAgo: number, impressions: number, clicks: number) => {
    const then = Date.now() - daysAgo * DAY;
    return deliverSome(harness(), at, impressions, clicks, { issuedAt: then, occurredAt: then });
  };
  /** Does the same, and learns from it. */
  const deliverThen = async (...shown: Parameters<typeof deliverAt>) => {
    await deliverAt(...shown);
    await learn(harness());
  };
  /** Lets all offers be judged again, as on the next day. */
  const judge = async () => {
    await harness().rows("update rate_offers set judged_on = (now() at time zone 'UTC')::date - 1");
    await estimate(harness());
  };
  /** Makes an offer that half of the customers clicked two days ago, and nobody did yesterday. */
  const makeShifted = async (columns: Parameters<typeof makeOne>[1] = {}) => {
    const one = await makeOne(harness(), columns);
    await deliverThen(one, 2, 60, 30);
    await deliverThen(one, 1, 40, 0);
    return one;
  };
  return { deliverAt, deliverThen, judge, makeShifted };
};
