import type { JSX } from "preact";
import { emptyMeans, entriesOf, entriesText, LISTS, type Listed, type ListName } from "../../../core/offers/offer.ts";
import { Text } from "../../../parts/fields/field.tsx";
import { Ticks } from "../../../parts/fields/ticks.tsx";
import { Categories } from "./categories.tsx";
import { fieldOf, type Form } from "./fields.tsx";
import { Ids } from "./ids.tsx";

const List = ({ form, name, of }: { form: Form; name: ListName; of: Listed }): JSX.Element => {
  const empty = emptyMeans(name);
  const field = fieldOf(form, name);
  const { label } = field;
  if ("hint" in of) return <Text {...field} hint={`${of.hint}; empty means ${empty.toLowerCase()}`} />;
  const chosen = {
    label,
    empty,
    error: field.error,
    chosen: entriesOf(name, field.value),
    onChange: (entries: readonly string[]) => field.onChange(entriesText(name, entries)),
  };
  if ("names" in of) return <Ticks {...chosen} names={of.names} />;
  if (of.picked === "category") return <Categories {...chosen} />;
  return <Ids {...chosen} what={of.picked} written={field.value} onWrite={field.onChange} />;
};

const isWritten = ([, of]: (typeof LISTS)[number]): boolean => "hint" in of;

const Lists = ({ form, of }: { form: Form; of: typeof LISTS }): JSX.Element => (
  <>
    {of.map(([name, list]) => (
      <List key={name} form={form} name={name} of={list} />
    ))}
  </>
);

/** Shows the fields for whom an offer is for. */
export const TargetingFields = ({ form }: { form: Form }): JSX.Element => (
  <div class="fields">
    <Lists form={form} of={LISTS.filter(isWritten)} />
    <Text {...fieldOf(form, "amountMin")} type="number" min={0} step="any" hint="Needs currencies" />
    <Text {...fieldOf(form, "amountMax")} type="number" min={0} step="any" />
    <Lists form={form} of={LISTS.filter((list) => !isWritten(list))} />
  </div>
);
