import type { CallOptions } from "#client";
import type { Action } from "./bulk.tsx";

/** Says why things are switched that were ticked together. */
export const TOGETHER = "Switched with others in the console";

type Row = { id: string };
type Send<Body> = (id: string, body: Body & { reason: string }, options: CallOptions) => Promise<unknown>;

/** Makes the actions that switch all that are ticked, from what switches one of them. */
export const switchActions = (
  setStatus: Send<{ status: "active" | "inactive" }>,
  setAds: Send<{ adsEnabled: boolean }>,
): readonly Action<Row>[] => {
  const toStatus =
    (status: "active" | "inactive") =>
    ({ id }: Row, options: CallOptions) =>
      setStatus(id, { status, reason: TOGETHER }, options);
  const toAds =
    (adsEnabled: boolean) =>
    ({ id }: Row, options: CallOptions) =>
      setAds(id, { adsEnabled, reason: TOGETHER }, options);
  return [
    { text: "Switch off", change: toStatus("inactive") },
    { text: "Switch on", change: toStatus("active") },
    { text: "Switch ads off", change: toAds(false) },
    { text: "Switch ads on", change: toAds(true) },
  ];
};
