import type { JSX } from "preact";
import type { Choice } from "../../parts/fields/field.tsx";
import { FilterBy, type List } from "../../parts/list.tsx";

const ACTIVE: Choice = ["active", "Active"];

/** Names the statuses of what is switched: publishers, sites and placements. */
export const SWITCHED: readonly Choice[] = [ACTIVE, ["inactive", "Inactive"]];

/** Names the statuses of what is started and ended: offers and advertisers. */
export const STARTED: readonly Choice[] = [ACTIVE, ["paused", "Paused"], ["archived", "Archived"]];

/** Filters a list by status. */
export const ByStatus = <Row,>({ list, choices }: { list: List<Row>; choices: readonly Choice[] }): JSX.Element => (
  <FilterBy list={list} name="status" label="Status" choices={choices} />
);

/** Filters a list by whether ads are switched on. */
export const ByAds = <Row,>({ list }: { list: List<Row> }): JSX.Element => (
  <FilterBy
    list={list}
    name="adsEnabled"
    label="Ads"
    choices={[
      ["true", "On"],
      ["false", "Off"],
    ]}
  />
);
