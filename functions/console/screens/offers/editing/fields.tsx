import type { JSX } from "preact";
import { Text } from "../../../parts/fields/field.tsx";
import { labelOf, type FieldName } from "../../../core/labels.ts";
import type { Fields } from "../../../core/offers/offer.ts";

/** Holds the fields of a form, how they are set, and what is wrong with them. */
export type Form = { fields: Fields; set: (name: string, value: string) => void; wrong: Record<string, string> };

/** Returns what a field of a form needs. */
export const fieldOf = ({ fields, set, wrong }: Form, name: FieldName) => ({
  label: labelOf(name),
  value: fields[name] ?? "",
  onChange: (value: string) => set(name, value),
  error: wrong[name],
});

/** Shows the fields for what customers see. */
export const ShownFields = ({ form }: { form: Form }): JSX.Element => {
  const field = (name: FieldName) => fieldOf(form, name);
  return (
    <div class="fields">
      <Text {...field("name")} isRequired isWhole maxLength={255} hint="For you; customers never see it" />
      <Text {...field("header")} isRequired maxLength={255} />
      <Text {...field("title")} isRequired maxLength={255} />
      <Text {...field("description")} isRequired isWhole rows={3} maxLength={2_000} />
      <Text {...field("ctaText")} isRequired maxLength={60} />
      <Text {...field("declineButtonText")} isRequired maxLength={60} />
      <Text
        {...field("destinationUrl")}
        isRequired
        isWhole
        maxLength={2_000}
        placeholder="https://"
        hint="May hold {click_id}, {session_id}, {placement_id}, {site_id}, {offer_id}, {country}"
      />
      <Text {...field("termsUrl")} maxLength={2_000} placeholder="https://" />
      <Text {...field("iconUrl")} maxLength={2_000} placeholder="https:// or /icons/coffee.svg" />
      {form.fields["iconUrl"] && (
        <>
          <Text {...field("iconWidth")} type="number" min={1} max={2_000} isRequired />
          <Text {...field("iconHeight")} type="number" min={1} max={2_000} isRequired />
        </>
      )}
    </div>
  );
};
