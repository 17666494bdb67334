import { expect, it } from "vitest";
import { reasonsOf } from "../../functions/console/core/reasons.ts";

const ON = { status: "active", adsEnabled: true } as const;
const OFF = { status: "inactive", adsEnabled: true } as const;
const NO_ADS = { status: "active", adsEnabled: false } as const;

type State = typeof ON | typeof OFF | typeof NO_ADS;

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second)).toISOString();
const event = (second: number, before: State, after: State, reason: string | null) => ({
  before,
  after,
  reason,
  createdAt: at(second),
});
const record = (id: string, second: number, before: object, after: object) => ({
  id,
  before: { ...before },
  after: { ...after },
  createdAt: at(second),
});

it("finds the reasons of switches, and of nothing else", () => {
  const records = [
    record("again", 30, { status: "active" }, { status: "inactive" }),
    record("on", 29, { status: "inactive" }, { status: "active" }),
    record("named", 28, { name: "A" }, { name: "B" }),
    record("off", 27, { status: "active" }, { status: "inactive" }),
    record("ads", 1, { adsEnabled: true }, { adsEnabled: false }),
  ];
  const events = [
    event(30, ON, OFF, "again"),
    event(29, ON, ON, "nothing was switched"),
    event(29, OFF, ON, null),
    event(27, ON, OFF, "first"),
    event(1, ON, NO_ADS, "no ads"),
  ];
  expect([...reasonsOf(records, events)]).toEqual([
    ["again", "again"],
    ["off", "first"],
    ["ads", "no ads"],
  ]);
});

it("takes no other switch for one whose record is not here", () => {
  const records = [record("older", 1, { status: "active" }, { status: "inactive" })];
  expect(reasonsOf(records, [event(59, ON, OFF, "later")]).size).toBe(0);
});
