import type { offers } from "./demand.ts";

type Column = keyof typeof offers.$inferSelect;

/**
 * Lists the dimensions in which offers are targeted. The check of a request, the queries for candidates, explanations
 * and the answers of the API each have a part for every dimension, so that one without a part does not compile.
 *
 * `by` tells what decides: the place (placement and country), when candidates are built, or each request. `columns` are
 * the offer's columns that hold its targeting; reach is set on its advertiser.
 */
export const TARGETING = {
  reach: { by: "place", columns: [] },
  country: { by: "place", columns: ["countries"] },
  category: { by: "place", columns: ["categoryIds"] },
  age_demographics: { by: "place", columns: ["ageDemographics"] },
  gender_demographics: { by: "place", columns: ["genderDemographics"] },
  publisher: { by: "place", columns: ["includePublishers", "excludePublishers"] },
  site: { by: "place", columns: ["includeSites", "excludeSites"] },
  language: { by: "request", columns: ["languages"] },
  currency: { by: "request", columns: ["currencies"] },
  amount: { by: "request", columns: ["amountMin", "amountMax"] },
  payment_type: { by: "request", columns: ["paymentTypes"] },
} as const satisfies Record<string, { by: "place" | "request"; columns: readonly Column[] }>;

type Targeting = typeof TARGETING;

/** Names a dimension of targeting; it is also the reason why an offer is not served. */
export type Dimension = keyof Targeting;

type DimensionBy<By> = { [D in Dimension]: Targeting[D]["by"] extends By ? D : never }[Dimension];

export type PlaceDimension = DimensionBy<"place">;
export type RequestDimension = DimensionBy<"request">;

/** Names a column that holds targeting. */
export type TargetingColumn = Targeting[Dimension]["columns"][number];

/** Names a column that holds targeting by requests, which candidates carry. */
export type RequestColumn = Targeting[RequestDimension]["columns"][number];

const DIMENSIONS = Object.keys(TARGETING) as Dimension[];

export const PLACE_DIMENSIONS = DIMENSIONS.filter((name): name is PlaceDimension => TARGETING[name].by === "place");
export const REQUEST_DIMENSIONS = DIMENSIONS.filter(
  (name): name is RequestDimension => TARGETING[name].by === "request",
);

/** Lists the columns that hold targeting. */
export const TARGETING_COLUMNS: readonly TargetingColumn[] = DIMENSIONS.flatMap((name) => TARGETING[name].columns);

/** Lists the columns that candidates carry. */
export const REQUEST_COLUMNS: readonly RequestColumn[] = REQUEST_DIMENSIONS.flatMap((name) => TARGETING[name].columns);
