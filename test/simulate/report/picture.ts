/** Describes a line of a picture. */
export type Line = { name: string; color: string; points: readonly (readonly [number, number])[]; isThin?: boolean };

/** Describes a picture of lines over a common axis. */
export type Picture = {
  title: string;
  x: { name: string; most: number; step: number };
  y: { name: string; most: number; step: number; unit: string };
  lines: readonly Line[];
};

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 150;
const TOP = 40;
const BOTTOM = 45;

const ticks = (most: number, step: number): number[] =>
  Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws a picture as SVG. Lines are named at their ends; names that would overlap are moved apart. */
export const svgOf = ({ title, x, y, lines }: Picture): string => {
  const [width, height] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
  const across = (value: number) => (LEFT + (value / x.most) * width).toFixed(1);
  const down = (value: number) => TOP + (1 - Math.min(1, value / y.most)) * height;
  const grid = [
    ...ticks(y.most, y.step).map(
      (value) =>
        `<line x1="${LEFT}" x2="${LEFT + width}" y1="${down(value).toFixed(1)}" y2="${down(value).toFixed(1)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${(down(value) + 4).toFixed(1)}" text-anchor="end">${value.toLocaleString("en-US")}${y.unit}</text>`,
    ),
    ...ticks(x.most, x.step).map(
      (value) =>
        `<text x="${across(value)}" y="${TOP + height + 18}" text-anchor="middle">${value.toLocaleString("en-US")}</text>`,
    ),
  ];
  const paths = lines.map(
    ({ color, points, isThin }) =>
      `<polyline fill="none" stroke="${color}" stroke-width="${isThin ? 0.7 : 2}" opacity="${isThin ? 0.45 : 1}" points="${points.map(([a, b]) => `${across(a)},${down(b).toFixed(1)}`).join(" ")}"/>`,
  );
  const named = lines
    .filter(({ name }) => name !== "")
    .map(({ name, color, points }) => ({ name, color, at: down(points.at(-1)?.[1] ?? 0) }))
    .sort((a, b) => a.at - b.at);
  for (const [i, line] of named.entries()) line.at = Math.max(line.at, (named[i - 1]?.at ?? -Infinity) + 15);
  const names = named.map(
    ({ name, color, at }) =>
      `<text x="${LEFT + width + 8}" y="${(at + 4).toFixed(1)}" fill="${color}">${escape(name)}</text>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${escape(title)}</text>`,
    ...grid,
    `<text x="${LEFT + width / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escape(x.name)}</text>`,
    `<text x="14" y="${TOP + height / 2}" transform="rotate(-90 14 ${TOP + height / 2})" text-anchor="middle">${escape(y.name)}</text>`,
    ...paths,
    ...names,
    "</svg>",
  ].join("\n")}\n`;
};
