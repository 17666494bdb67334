import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Chart as ChartType } from "./chart.tsx";

type ChartComponent = FunctionComponent<Parameters<typeof ChartType>[0]>;

/** Loads charts when there is one to show. */
export const useChart = (): ChartComponent | null => {
  const [Chart, setChart] = useState<ChartComponent | null>(null);
  useEffect(() => {
    import("./chart.tsx").then(
      ({ Chart: found }) => setChart(() => found),
      () => undefined,
    );
  }, []);
  return Chart;
};
