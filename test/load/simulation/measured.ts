import type { Load } from "../traffic/wrk.ts";
import type { Recorded } from "../report.ts";
import { median } from "../traffic/rounds.ts";
import type { Figures } from "./costs.ts";

/** Holds figures of a shared machine with two cores. Figures of an earlier run of the other parts replace them. */
const ASSUMED: Figures = {
  odataCpu: 0.18,
  trackingCpu: 0.23,
  consumerCpu: 0.03,
  storedASecond: 8_000,
  bytesPerEvent: 500,
  coldDatabase: 2,
};

type ServingData = Record<string, Load[]>;
type TrackingData = { rates: { cpu: number; consumed: number; consumerCpu: number }[]; bytesPerEvent: number };
type GrowthData = { costs: { cold: number }[] };

/** Returns the figures that a forecast starts from: those of earlier runs where there are any. */
export const measuredFigures = (earlier: Record<string, Recorded>): Figures => {
  const serving = earlier["serving"]?.data as ServingData | undefined;
  const tracking = earlier["tracking"]?.data as TrackingData | undefined;
  const growth = earlier["growth"]?.data as GrowthData | undefined;
  const odata = serving?.["in memory 4"]?.map((load) => load.cpu / 1_000);
  return {
    ...ASSUMED,
    ...(odata && { odataCpu: median(odata) }),
    ...(tracking && {
      trackingCpu: median(tracking.rates.map((rate) => rate.cpu)) / 1_000,
      consumerCpu: median(tracking.rates.map((rate) => rate.consumerCpu)) / 1_000,
      storedASecond: median(tracking.rates.map((rate) => rate.consumed)),
      bytesPerEvent: tracking.bytesPerEvent,
    }),
    ...(growth && { coldDatabase: median(growth.costs.map((cost) => cost.cold)) }),
  };
};
