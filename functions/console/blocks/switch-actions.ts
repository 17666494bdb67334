import type { Action } from "./bulk.tsx";
import type { Why } from "./changing/stop.tsx";

/** Gives the reason for switching things that were ticked together, if nobody gave one. */
export const TOGETHER = "Switched with others in the console";

/** Says what will happen when things that were ticked together are switched off. */
export const SWITCHED_OFF =
  "Within a minute or two, they no longer show offers. What was counted stays, and you can switch them on again at any time.";

type Row = { id: string };
type Send<Body> = (id: string, body: Body & { reason: string }) => Promise<unknown>;

/** Makes the actions that switch all ticked rows, from what switches one of them. */
export const switchActions = (
  setStatus: Send<{ status: "active" | "inactive" }>,
  setAds: Send<{ adsEnabled: boolean }>,
): readonly Action<Row>[] => {
  const toStatus =
    (status: "active" | "inactive") =>
    ({ id }: Row, { reason = TOGETHER }: Why) =>
      setStatus(id, { status, reason });
  const toAds =
    (adsEnabled: boolean) =>
    ({ id }: Row, { reason = TOGETHER }: Why) =>
      setAds(id, { adsEnabled, reason });
  return [
    { text: "Switch off", asks: SWITCHED_OFF, change: toStatus("inactive") },
    { text: "Switch on", change: toStatus("active") },
    { text: "Switch ads off", asks: SWITCHED_OFF, change: toAds(false) },
    { text: "Switch ads on", change: toAds(true) },
  ];
};
