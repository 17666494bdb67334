import { expect, it } from "vitest";
import { labelOf } from "../../functions/console/core/labels.ts";

it.each([
  ["bidMicros", "Bid (USD)"],
  ["publisherShareBps", "Publisher’s share (%)"],
  ["ctaText", "Text of “accept”"],
  ["icon", "Picture"],
  ["icon.url", "Picture"],
  ["icon.width", "Picture’s width (px)"],
  ["targeting.amountMin", "Orders from"],
  ["targeting.includeSites", "Only these sites"],
  ["elevatedLimits", "Raised limits"],
  ["contactEmail", "Contact email"],
  ["data.templateConfig.showIcon", "Data › Template config › Show icon"],
])("the member %s is called %s, as in forms", (path, label) => {
  expect(labelOf(path)).toBe(label);
});
