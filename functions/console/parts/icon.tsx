import type { JSX } from "preact";

const PATHS = {
  overview: "M3 12l9-8 9 8M5 10v10h14V10",
  platforms: "M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5",
  publishers: "M4 20v-1a5 5 0 0 1 5-5h6a5 5 0 0 1 5 5v1M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
  sites: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  placements: "M4 5h16v14H4zM4 10h16M9 10v9",
  advertisers: "M4 10v4h4l7 4V6l-7 4zM18 9a4 4 0 0 1 0 6",
  offers: "M12 3l8 8-9 9-8-8V3zM8 8h.01",
  reports: "M5 20V10M12 20V4M19 20v-7",
  audit: "M8 4h8v4H8zM6 6H5v15h14V6h-1M9 13h6M9 17h4",
  operations: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2",
  explain: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  menu: "M4 7h16M4 12h16M4 17h16",
} as const;

/** Names a picture. */
export type IconName = keyof typeof PATHS;

/** Shows a small picture in the text's colour; words beside it say what it means. */
export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
