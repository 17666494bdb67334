import type { JSX } from "preact";
import { Text } from "../../../parts/fields/field.tsx";
import type { Fields } from "../../../core/offers/offer.ts";

/** Holds the fields of a form, how they are set, and what is wrong with them. */
export type Form = { fields: Fields; set: (name: string, value: string) => void; wrong: Record<string, string> };

/** Returns what a field of a form needs. */
export const fieldOf = ({ fields, set, wrong }: Form, name: string, label: string) => ({
  label,
  value: fields[name] ?? "",
  onChange: (value: string) => set(name, value),
  error: wrong[name],
});

/** Shows the fields for what customers see. */
export const ShownFields = ({ form }: { form: Form }): JSX.Element => {
  const field = (name: string, label: string) => fieldOf(form, name, label);
  return (
    <div class="fields">
      <Text {...field("name", "Name")} isRequired isWhole maxLength={255} hint="For you; customers never see it" />
      <Text {...field("header", "Line above the title")} isRequired maxLength={255} />
      <Text {...field("title", "Title")} isRequired maxLength={255} />
      <Text {...field("description", "Description")} isRequired isWhole rows={3} maxLength={2_000} />
      <Text {...field("ctaText", "Text of “accept”")} isRequired maxLength={60} />
      <Text {...field("declineButtonText", "Text of “decline”")} isRequired maxLength={60} />
      <Text
        {...field("destinationUrl", "Where a click leads")}
        isRequired
        isWhole
        maxLength={2_000}
        placeholder="https://"
        hint="May hold {click_id}, {session_id}, {placement_id}, {site_id}, {offer_id}, {country}"
      />
      <Text {...field("termsUrl", "Terms")} maxLength={2_000} placeholder="https://" />
      <Text {...field("iconUrl", "Picture")} maxLength={2_000} placeholder="https:// or /icons/coffee.svg" />
      {form.fields["iconUrl"] && (
        <>
          <Text {...field("iconWidth", "Picture’s width (px)")} type="number" min={1} max={2_000} isRequired />
          <Text {...field("iconHeight", "Picture’s height (px)")} type="number" min={1} max={2_000} isRequired />
        </>
      )}
    </div>
  );
};
