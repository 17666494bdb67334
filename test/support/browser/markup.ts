const attributesOf = (attributes: Record<string, string>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join("");

/** Returns the script's tag with `data-` attributes, which are named without `data-`. */
export const scriptTag = (url: string, attributes: Record<string, string> = {}): string =>
  `<script async src="${url}/embed.js"${attributesOf(attributes)}></script>`;

/** Returns a place with `data-lanyap` for a placement's offers, one of them unless attributes say otherwise. */
export const placeTag = (
  asked: { placementId: string; publicKey: string },
  attributes: Record<string, string> = {},
): string =>
  `<div${attributesOf({ lanyap: "", "public-key": asked.publicKey, "placement-id": asked.placementId, count: "1", "at-orderid": "7", ...attributes })}></div>`;
