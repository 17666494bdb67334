import type { ICON_NAMES } from "../core/icon-names.ts";

/**
 * Describes an icon: the two colours of its gradient, its white shapes (even-odd), its white lines, and its lines in the
 * second colour on top of the shapes.
 */
type Icon = readonly [from: string, to: string, shapes: string, lines?: string, marks?: string];

const ICONS = new Map<string, Icon>(
  Object.entries({
    brand: [
      "#8b5cf6",
      "#4338ca",
      "M32 37h32a6 6 0 0 1 6 6v25a6 6 0 0 1-6 6H32a6 6 0 0 1-6-6V43a6 6 0 0 1 6-6z",
      "M48 36c-11 0-17-4-15-10s12-3 15 10c3-13 13-16 15-10s-4 10-15 10z",
      "M48 45v21M37.5 55.500h21",
    ],
    "sample-gift": [
      "#fb7185",
      "#be123c",
      "M26 36h44a4 4 0 0 1 4 4v8H22v-8a4 4 0 0 1 4-4zM26 52h44v17a5 5 0 0 1-5 5H31a5 5 0 0 1-5-5z",
      "M48 34c-10 0-15-3-13-9s11-3 13 9c2-12 11-15 13-9s-3 9-13 9z",
      "M48 38v34",
    ],
    "sample-star": [
      "#fbbf24",
      "#d97706",
      "M48 19l8.6 18.2 19.9 2.6-14.6 13.8 3.7 19.800L48 63.7 30.4 73.400l3.7-19.8-14.6-13.8 19.9-2.600z",
    ],
    "sample-tag": [
      "#34d399",
      "#047857",
      "M24 30a6 6 0 0 1 6-6h18a7 7 0 0 1 5 2l20 20a6 6 0 0 1 0 8.500L54.5 73a6 6 0 0 1-8.5 0L26 53a7 7 0 0 1-2-5zM37 31.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z",
    ],
    coffee: [
      "#b7793f",
      "#5b3417",
      "M24 40h38v16a14 14 0 0 1-14 14H38a14 14 0 0 1-14-14z",
      "M62 45h3a7 7 0 0 1 0 14h-4M26 77h34M36 32c-4-5 4-6 0-12M50 32c-4-5 4-6 0-12",
    ],
    headphones: [
      "#f472b6",
      "#9d174d",
      "M24 52h7a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4h-3a7 7 0 0 1-7-7V55a3 3 0 0 1 3-3zM72 52h-7a4 4 0 0 0-4 4v14a4 4 0 0 0 4 4h3a7 7 0 0 0 7-7V55a3 3 0 0 0-3-3z",
      "M24 54v-7a24 24 0 0 1 48 0v7",
    ],
    parcel: [
      "#f59e0b",
      "#b45309",
      "M46 20.500a5 5 0 0 1 4 0L71 30 48 40.5 25 30zM22 35l23.5 10.500v30L25 66a5 5 0 0 1-3-4.500zM74 35L50.5 45.500v30L71 66a5 5 0 0 0 3-4.500z",
    ],
    cashback: [
      "#4ade80",
      "#15803d",
      "M48 33a15 15 0 1 1 0 30 15 15 0 0 1 0-30z",
      "M22 51a26 26 0 0 1 45-21M74 45a26 26 0 0 1-45 21M69 19v12H57M27 77V65h12",
      "M48 41v14M43 48h10",
    ],
    tree: ["#84cc16", "#3f6212", "M48 17l17 21h-7l14 18H51v18h-6V56H24l14-18h-7z"],
    moon: [
      "#818cf8",
      "#312e81",
      "M46 22a27 27 0 1 0 28 36 25 25 0 0 1-28-36zM64 22l2.6 6.400L73 31l-6.4 2.600L64 40l-2.6-6.400L55 31l6.4-2.600z",
    ],
    bowl: [
      "#fb923c",
      "#c2410c",
      "M21 48h54c0 11-6 18-14 22v5H35v-5c-8-4-14-11-14-22z",
      "M46 42l8-22M57 42l12-20M28 42c2-7 8-10 14-9",
    ],
    camera: [
      "#38bdf8",
      "#0369a1",
      "M38 24h20l5 8h7a6 6 0 0 1 6 6v28a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6V38a6 6 0 0 1 6-6h7zM48 37a14 14 0 1 0 0 28 14 14 0 0 0 0-28zM48 43.500a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z",
    ],
    shield: ["#60a5fa", "#1d4ed8", "M48 19l25 9v18c0 16-10 26-25 32-15-6-25-16-25-32V28z", "", "M37 48l8 8 15-16"],
    wallet: [
      "#2dd4bf",
      "#0f766e",
      "M28 23h36a5 5 0 0 1 5 5v4H28a4.5 4.5 0 0 1 0-9zM21 34a11 11 0 0 0 7 3h40a6 6 0 0 1 6 6v5H62a7.5 7.5 0 0 0 0 15h12v4a6 6 0 0 1-6 6H28a7 7 0 0 1-7-7zM62 52.5h13v6H62a3 3 0 0 1 0-6z",
    ],
    leaf: [
      "#4ade80",
      "#166534",
      "M73 22c3 30-7 46-27 46-11 0-18-7-18-16 0-19 20-27 45-30z",
      "M22 76c2-4 5-9 9-13",
      "M32 62c7-8 15-14 24-18",
    ],
    cottage: [
      "#f87171",
      "#991b1b",
      "M45.5 22a4 4 0 0 1 5 0L76 44.500h-6V69a5 5 0 0 1-5 5H55V58a4 4 0 0 0-4-4h-6a4 4 0 0 0-4 4v16H31a5 5 0 0 1-5-5V44.500h-6z",
    ],
    bolt: ["#facc15", "#ca8a04", "M55 17L26 54h17l-4 25 31-39H52z"],
    basket: [
      "#a3e635",
      "#4d7c0f",
      "M22 42h52l-5 26a6 6 0 0 1-6 5H33a6 6 0 0 1-6-5z",
      "M33 40l9-18M63 40l-9-18",
      "M39 51l1.5 13M48 51v13M57 51l-1.5 13",
    ],
    drop: [
      "#f0abfc",
      "#a21caf",
      "M48 18c13 15 20 25 20 36a20 20 0 0 1-40 0c0-11 7-21 20-36z",
      "",
      "M38 55a10 10 0 0 0 9 9",
    ],
    cheese: [
      "#fde047",
      "#d97706",
      "M21 46l37-21c9 1 16 9 17 21zM21 51h10a6.5 6.5 0 0 0 13 0h31v18a4 4 0 0 1-4 4H25a4 4 0 0 1-4-4zM59 56a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z",
    ],
    plane: [
      "#22d3ee",
      "#0e7490",
      "M72.5 23.500c3 3 2 8-1 11l-9 9L69 69l-5 5-12-20-9 9 1 9-4 4-6-11.500L22.5 58l4-4 9 1 9-9-20-12 5-5L55 35.500l9-9c3-3 6-5 8.5-3z",
    ],
    mountain: ["#5eead4", "#115e59", "M17 71l23-38 12 19 6-9 21 28zM66 22a7 7 0 1 1 0 14 7 7 0 0 1 0-14z"],
    lamp: [
      "#fcd34d",
      "#92400e",
      "M39 21h18a4 4 0 0 1 3.5 2.500L72 50H24l11.5-26.500A4 4 0 0 1 39 21z",
      "M48 52v20M36 74h24",
    ],
    voucher: [
      "#c084fc",
      "#6b21a8",
      "M26 30h44a5 5 0 0 1 5 5v6a7 7 0 0 0 0 14v6a5 5 0 0 1-5 5H26a5 5 0 0 1-5-5v-6a7 7 0 0 0 0-14v-6a5 5 0 0 1 5-5z",
      "",
      "M40 57l16-18M40.5 40.500v0M55.5 55.500v0",
    ],
    tent: ["#fdba74", "#9a3412", "M48 22l30 50H18zM48 46L35 72h26z", "M42 16l6 8 6-8"],
    paw: [
      "#fca5a5",
      "#b91c1c",
      "M48 46c9 0 19 12 19 20 0 6-5 8-10 8-4 0-6-2-9-2s-5 2-9 2c-5 0-10-2-10-8 0-8 10-20 19-20zM26 38a6 7.5 0 1 1 0 15 6 7.5 0 0 1 0-15zM70 38a6 7.5 0 1 1 0 15 6 7.5 0 0 1 0-15zM39 23a6 8 0 1 1 0 16 6 8 0 0 1 0-16zM57 23a6 8 0 1 1 0 16 6 8 0 0 1 0-16z",
    ],
    snowflake: [
      "#7dd3fc",
      "#1e40af",
      "",
      "M48 20L48 76M72.2 34L23.8 62M72.2 62L23.8 34M40.3 23.2L48 31 55.7 23.2M65.7 28.9L62.7 39.5 73.4 42.2M73.4 53.8L62.7 56.5 65.7 67.1M55.7 72.8L48 65 40.3 72.8M30.3 67.1L33.3 56.5 22.6 53.8M22.6 42.2L33.3 39.5 30.3 28.9",
    ],
  } satisfies Record<(typeof ICON_NAMES)[number], Icon>),
);

const stroke = (colour: string, path: string | undefined): string =>
  path
    ? `<path d="${path}" fill="none" stroke="${colour}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`
    : "";

/**
 * Draws an icon that the service itself serves at `/icons/{name}.svg`. It is 96 × 96 in size, and has no text, no scripts
 * and no references to other files.
 *
 * @returns the SVG document, or null when there is no icon of this name
 */
export const renderIcon = (name: string): string | null => {
  const icon = ICONS.get(name);
  if (!icon) return null;
  const [from, to, shapes, lines, marks] = icon;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">` +
    `<linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>` +
    `<rect width="96" height="96" rx="22" fill="url(#g)"/>` +
    (shapes ? `<path d="${shapes}" fill="#fff" fill-rule="evenodd"/>` : "") +
    `${stroke("#fff", lines)}${stroke(to, marks)}</svg>`
  );
};
