import { describe, expect, it } from "vitest";
import { fieldValue, LOOKS, withValue, type Look } from "../../../functions/console/core/looks.ts";
import { placementData } from "../../../functions/routes/inventory/placement-data.ts";

/** Holds what a person may write into a field of each kind that has no choices. */
const EXAMPLES: Record<Look["kind"], string> = {
  text: "A text",
  url: "https://shop.example/a.png",
  milliseconds: "250",
  flag: "true",
  choice: "",
  columns: "1fr 120px",
  length: "16px",
};

describe("the console's form of a placement's looks", () => {
  it.each(LOOKS.filter(({ choices }) => choices !== undefined).map(({ path, choices }) => [path, choices] as const))(
    "offers for %s what the API takes, and all of it",
    (path, choices) => {
      const message = placementData().safeParse(withValue({}, path, "")).error?.issues[0]?.message;
      expect(message).toBe(`must be one of ${choices?.join(", ")}`);
    },
  );

  it.each(LOOKS.map((look) => [look.path, look.choices?.[0] ?? EXAMPLES[look.kind], look] as const))(
    "reads for %s, where %j is written, what the API takes",
    (path, text, look) => {
      const data = withValue({}, path, fieldValue(look, text));
      expect(placementData().safeParse(data)).toMatchObject({ success: true, data });
    },
  );
});
