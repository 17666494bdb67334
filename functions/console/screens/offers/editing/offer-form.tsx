import type { CreateOfferBody, Offer } from "#client";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { Choose } from "../../../blocks/choose.tsx";
import { FormEnd, useEditing } from "../../../blocks/editing.tsx";
import { Preview, type Shown } from "../../../blocks/preview.tsx";
import {
  changedBody,
  fieldsOf,
  forecastBody,
  meantTime,
  offerBody,
  shownBody,
  wrongFields,
  wrongTimes,
} from "../../../core/offers/offer.ts";
import { utc } from "../../../core/format.ts";
import { isSame } from "../../../core/same.ts";
import { Select, Text } from "../../../parts/fields/field.tsx";
import { ClosingForm } from "../../../parts/fields/form.tsx";
import { Card } from "../../../parts/page.tsx";
import type { FieldName } from "../../../core/labels.ts";
import { fieldOf, ShownFields, type Form } from "./fields.tsx";
import { ForecastCard } from "./forecast.tsx";
import { Pacing } from "../pacing.tsx";
import { TargetingFields } from "./targeting.tsx";

/** Keeps browsers from offering years of five digits. */
const LAST = "9999-12-31T23:59";

const MoneyFields = ({ form, offer }: { form: Form; offer: Offer | null }): JSX.Element => {
  const field = (name: FieldName) => fieldOf(form, name);
  const utcOf = (name: "startsAt" | "endsAt") => utc(meantTime(form.fields, name, offer ?? {}));
  return (
    <div class="fields">
      <Select
        {...field("pricing")}
        choices={[
          ["CPM", "1,000 impressions (CPM)"],
          ["CPC", "A click (CPC)"],
          ["CPA", "A conversion (CPA)"],
        ]}
      />
      <Text {...field("bid")} type="number" min={0} max={100_000} step="any" isRequired />
      <Text {...field("share")} type="number" min={0} max={100} step={0.01} isRequired />
      <Text {...field("priority")} type="number" min={1} max={100} isRequired hint="1 is shown before 2, and so on" />
      <Text {...field("dailyCap")} type="number" min={1} step={1} hint="Paid-for events per UTC day" />
      <Text {...field("lifetimeCap")} type="number" min={1} step={1} />
      <Select
        {...field("pacing")}
        hint="“Evenly” needs a daily cap, or a total cap with an end"
        choices={[
          ["ASAP", "As fast as possible"],
          ["EVEN", "Evenly, along its traffic"],
        ]}
      />
      <Text
        {...field("startsAt")}
        type="datetime-local"
        max={LAST}
        hint={utcOf("startsAt") || "In your time; empty means at once"}
      />
      <Text
        {...field("endsAt")}
        type="datetime-local"
        max={LAST}
        hint={utcOf("endsAt") || "In your time; empty means never"}
      />
    </div>
  );
};

const CreativeFields = ({ form }: { form: Form }): JSX.Element => (
  <div class="fields">
    <Select
      {...fieldOf(form, "creativeSplit")}
      choices={[
        ["WEIGHTS", "By their weights"],
        ["LEARNED", "Mostly the one that does best"],
      ]}
    />
    <Text {...fieldOf(form, "creativeWeight")} type="number" min={0} max={100} step={1} isRequired />
  </div>
);

/** Shows an offer's fields beside its preview and forecast, to create or change it. */
export const OfferForm = ({
  offer,
  advertiserId: given,
  etag,
  onSaved,
  onReload,
  onCancel,
}: {
  offer: Offer | null;
  advertiserId: string;
  etag: string | null;
  onSaved: (id: string) => void;
  onReload: () => void;
  onCancel: () => void;
}): JSX.Element => {
  const before = useMemo(() => fieldsOf(offer ?? {}), [offer]);
  const [fields, setFields] = useState(before);
  const [advertiserId, setAdvertiser] = useState(offer?.advertiserId ?? given);
  const [isDark, setDark] = useState(false);
  const editing = useEditing(etag);
  const form: Form = {
    fields,
    set: (name, value) => setFields((now) => ({ ...now, [name]: value })),
    wrong: { ...wrongFields(editing.wrong), ...wrongTimes(fields) },
  };
  const body = offer ? changedBody(offerBody(fields), offerBody(before)) : { advertiserId, ...offerBody(fields) };
  const isChanged = offer ? Object.keys(body).length > 0 : !isSame(fields, before);
  const save = (): Promise<void> =>
    offer
      ? editing.save(
          (version) => api.updateOffer(offer.id, body, version),
          ({ id }) => onSaved(id),
        )
      : editing.save(
          () => api.createOffer(body as CreateOfferBody),
          ({ id }) => onSaved(id),
        );
  const shown = { ...(shownBody(fields) as unknown as Shown) };
  const text = (name: string, usual: string) => fields[name]?.trim() || usual;
  const preview: Shown[] = [
    { ...shown, title: text("title", "Title"), ctaText: text("ctaText", "Accept"), header: text("header", "") },
  ];
  return (
    <ClosingForm isBusy={editing.isBusy} look="editor" onSend={save}>
      <div class="stack">
        <Card title="What customers see">
          <div class="stack">
            {!offer && <Choose what="advertiser" isRequired value={advertiserId} onChange={setAdvertiser} />}
            <ShownFields form={form} />
          </div>
        </Card>
        <Card title="Price, caps and time" id="price">
          <div class="stack">
            <MoneyFields form={form} offer={offer} />
            {offer?.pacing === "EVEN" && <p class="muted small">As it is saved, the offer is spent like this:</p>}
            {offer && <Pacing of={offer} />}
          </div>
        </Card>
        <Card title="Who it is for">
          <TargetingFields form={form} />
        </Card>
        <Card title="Creatives">
          <CreativeFields form={form} />
        </Card>
        <FormEnd
          editing={editing}
          onReload={onReload}
          onCancel={onCancel}
          action={offer ? "Save" : "Create"}
          isChanged={isChanged}
          isReady={!offer || isChanged}
        />
      </div>
      <div class="aside stack">
        <ForecastCard body={{ advertiserId, ...forecastBody(fields) }} />
        <Card
          title="Preview"
          actions={
            <button type="button" class="button little" onClick={() => setDark(!isDark)}>
              {isDark ? "Show light" : "Show dark"}
            </button>
          }
        >
          <Preview data={{}} siteName="A shop" isPhone isDark={isDark} offers={preview} />
        </Card>
      </div>
    </ClosingForm>
  );
};
