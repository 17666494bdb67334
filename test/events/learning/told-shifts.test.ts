import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { api, dataOf } from "../../support/api.ts";
import { explaining } from "../../support/explaining.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { forget, makeOne } from "../../support/learning/learn.ts";
import { shifting } from "../../support/learning/shifting.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { deliverThen, judge, makeShifted } = shifting(() => h);
const { explain } = explaining(() => h);

type One = Awaited<ReturnType<typeof makeOne>>;

/** Returns what explain tells of an offer's shift. */
const toldOf = async ({ placementId, offerId }: One) => {
  const { offers } = await explain(placementId);
  const { shiftedOn, shiftRatio } = offers.find((offer) => offer.offerId === offerId)?.expectation ?? {};
  return { shiftedOn, shiftRatio };
};

const NOTHING = { shiftedOn: null, shiftRatio: null };

/** Returns the offers that the overview says are clicked less. */
const clickedLess = async () => {
  const token = SECRETS.ADMIN_TOKEN;
  return dataOf<{ clickedLess: unknown }>(await api(h, "GET", "/api/v1/overview", { token })).clickedLess;
};

const NOBODY = { total: 0, offers: [] };

const todayOf = async () => {
  const [row] = await h.rows<{ today: string }>("select (now() at time zone 'UTC')::date::text as today");
  return row?.today;
};

/** Lets all shifts have been found some days ago. */
const findDaysAgo = (days: number) =>
  h.rows("update rate_offers set shifted_on = (now() at time zone 'UTC')::date - $1::int", [days]);

/** Returns what the overview says of one offer alone. */
const only = ({ offerId: id }: One, share: unknown) => ({
  total: 1,
  offers: [{ id, name: expect.any(String) as unknown, share, endsAt: null }],
});

describe("a shift of an offer's click rate", () => {
  it("is told by explain and the overview, with how often it was clicked", async () => {
    const one = await makeShifted();
    await deliverThen(one, 0, 40, 3);
    expect([await toldOf(one), await clickedLess()]).toEqual([NOTHING, NOBODY]);
    await judge();
    const share = expect.closeTo(3 / 40, 1);
    expect(await toldOf(one)).toEqual({ shiftedOn: await todayOf(), shiftRatio: share });
    expect(await clickedLess()).toEqual(only(one, share));
  });

  it("stays told while nothing shifts again, in the overview for a week", async () => {
    const one = await makeShifted();
    await judge();
    const told = await toldOf(one);
    expect(told).toEqual({ shiftedOn: await todayOf(), shiftRatio: 0 });
    await deliverThen(one, 0, 4, 1);
    await judge();
    expect(await toldOf(one)).toEqual(told);
    await findDaysAgo(6);
    expect(await clickedLess()).toEqual(only(one, 0));
    await findDaysAgo(7);
    expect(await clickedLess()).toEqual(NOBODY);
    expect(await toldOf(one)).toMatchObject({ shiftRatio: 0 });
  });

  it("is no concern of the overview where it is clicked more, or is not served any more", async () => {
    const one = await makeOne(h);
    await deliverThen(one, 2, 60, 15);
    await deliverThen(one, 1, 40, 40);
    await judge();
    expect((await toldOf(one)).shiftRatio).toBeGreaterThan(1.25);
    expect(await clickedLess()).toEqual(NOBODY);
    await h.rows("update rate_offers set shift_ratio = 0.5");
    expect(await clickedLess()).toEqual(only(one, 0.5));
    await h.rows("update offers set ends_at = now() - interval '1 hour' where id = $1", [one.offerId]);
    expect(await clickedLess()).toEqual(NOBODY);
    await h.rows("update offers set ends_at = null, status = 'paused' where id = $1", [one.offerId]);
    expect(await clickedLess()).toEqual(NOBODY);
  });

  it("tells nothing of another creative", async () => {
    const one = await makeShifted();
    await judge();
    await h.rows("update offers set title = 'Another' where id = $1", [one.offerId]);
    expect([await toldOf(one), await clickedLess()]).toEqual([NOTHING, NOBODY]);
  });
});
