import type { Options } from "../embed/service/options.ts";

/** Returns the lines that a merchant pastes to get what the panel is set to. */
export const snippetOf = (origin: string, { publicKey, placementId, count, attributes = {} }: Options): string => {
  const facts = Object.entries(attributes ?? {}).map(([name, value]) => `\n  data-at-${name}="${String(value)}"`);
  return `<div id="lanyap" style="font-size: medium; min-height: clamp(24em, (36em - 100vw) * 99, 40em)"></div>
<script async src="${origin}/embed.js"
  data-public-key="${publicKey}"
  data-placement-id="${placementId}"
  data-count="${count ?? 4}"${facts.join("")}></script>`;
};
