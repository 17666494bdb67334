import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { day } from "../../core/format.ts";
import { isoDay } from "../../core/reports/period.ts";

/**
 * Describes a line of a chart: its values by day or time, and how they are written. `isJoined` draws it across times
 * without a value; a line with one value is a dot.
 */
export type Line = {
  text: string;
  values: readonly (number | null)[];
  write: (value: number | null) => string;
  isJoined?: boolean;
};

const HEIGHT = 240;

/** Sets the least width of the axis of values, so that the chart beside it stays in place for most figures. */
const LEAST_AXIS = 64;

/** Lists how far apart the days on the axis may be, in seconds: no day is named twice. */
const STEPS = [1, 2, 5, 7, 14, 30, 60].map((days) => days * 86_400);

/** Lists how far apart the hours on the axis may be, in seconds. */
const HOURS = [1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600);

/**
 * Returns the width that the axis of values needs for the longest of them: a figure that is cut off reads as another
 * figure.
 */
const axisWidth: uPlot.Axis.Size = (plot, values, at) => {
  const { font, gap = 0 } = plot.axes[at] ?? {};
  // The first entry is the font in pixels of the screen, of which a pixel of the page may have several.
  plot.ctx.font = font?.[0] ?? plot.ctx.font;
  const widths = (values ?? []).map((text) => plot.ctx.measureText(text).width / devicePixelRatio);
  return Math.max(LEAST_AXIS, Math.ceil(Math.max(0, ...widths)) + gap);
};

/** Lists what a chart is drawn again for: other colours, and paper, which is narrower and which no observer reports. */
const REDRAWN = ["(prefers-color-scheme: dark)", "print"];

/**
 * Draws lines over UTC days, or over times within a few days. Colours follow the page's light or dark mode, and the
 * width follows the paper when it is printed.
 */
export const Chart = ({
  days,
  lines,
  label,
  isHourly = false,
}: {
  /** Lists the days, `YYYY-MM-DD`, or times in between, in the API's form. */
  days: readonly string[];
  lines: readonly Line[];
  label: string;
  /** Names hours on the axis in place of days. */
  isHourly?: boolean;
}): JSX.Element => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const style = getComputedStyle(element);
      const colour = (name: string) => style.getPropertyValue(name).trim();
      const axis = {
        stroke: colour("--muted"),
        grid: { stroke: colour("--series-grid"), width: 1 },
        ticks: { show: false },
      };
      const [first] = lines;
      const name = (seconds: number) => `${day(isoDay(seconds * 1000))}${isHourly ? `, ${hour(seconds)} UTC` : ""}`;
      const options: uPlot.Options = {
        width: element.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        cursor: { drag: { x: false, y: false } },
        series: [
          { label: isHourly ? "Time" : "Day", value: (_, seconds) => (seconds === null ? "" : name(seconds)) },
          ...lines.map((line, at) => ({
            label: line.text,
            stroke: colour(`--series-${at + 1}`),
            width: 2,
            ...(at === 0 ? { fill: `${colour("--series-1")}1c` } : { dash: [5, 4] }),
            points: { show: line.values.filter((value) => value !== null).length < 3 },
            spanGaps: line.isJoined ?? false,
            value: (_: uPlot, value: number | null) => line.write(value),
          })),
        ],
        axes: [
          {
            ...axis,
            size: 36,
            incrs: isHourly ? HOURS : STEPS,
            values: (_, ticks) =>
              ticks.map((seconds) => (isHourly ? hour(seconds) : day(isoDay(seconds * 1000)).replace(/^\S+ /, ""))),
          },
          { ...axis, size: axisWidth, values: (_, ticks) => ticks.map((value) => first?.write(value) ?? "") },
        ],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
      };
      const data = [
        days.map((date) => Date.parse(date) / 1000),
        ...lines.map(({ values }) => [...values]),
      ] as uPlot.AlignedData;
      plot = new uPlot(options, data, element);
    };
    draw();
    const over = new AbortController();
    for (const query of REDRAWN) matchMedia(query).addEventListener("change", draw, { signal: over.signal });
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      over.abort();
      observer.disconnect();
      plot?.destroy();
    };
  }, [days, lines, isHourly]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
};

const hour = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16);
