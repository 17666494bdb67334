import type { CreateSiteBody, Site, UpdateSiteBody } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { EditDialog } from "../../blocks/edit-dialog.tsx";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { AGES, GENDERS, type Names } from "../../core/closed.ts";
import { emptied } from "../../core/emptied.ts";
import { isSame } from "../../core/same.ts";
import { Select, Text, type Choice } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";

type Values = Record<string, string>;

const orNotSet = (names: Names): readonly Choice[] => [["", "Not set"], ...Object.entries(names)];

const valuesOf = (site: Partial<Site>): Values => ({
  name: site.name ?? "",
  description: site.description ?? "",
  domain: site.domain ?? "",
  categoryName: site.category?.name ?? "",
  orderVolume: site.orderVolume?.toString() ?? "",
  averageOrder: site.averageOrder?.toString() ?? "",
  ageDemographics: site.ageDemographics ?? "",
  genderDemographics: site.genderDemographics ?? "",
});

const NUMBERS = new Set(["orderVolume", "averageOrder"]);

/** Returns the members that differ from what was read, with null for those that were emptied. */
const bodyOf = (values: Values, before: Values): UpdateSiteBody =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value.trim() !== before[name])
      .map(([name, value]) => [name, value.trim() === "" ? null : NUMBERS.has(name) ? Number(value) : value.trim()]),
  );

/** Shows a site's fields, to create or change it. */
export const SiteForm = ({
  site,
  etag,
  onSaved,
  onReload,
  onClose,
}: {
  /** Holds the site as it was read; null for a new one. */
  site: Site | null;
  etag: string | null;
  onSaved: (id: string) => void;
  onReload: () => void;
  onClose: () => void;
}): JSX.Element => {
  const before = valuesOf(site ?? {});
  const [values, setValues] = useState(before);
  const categories = useRead("listCategories", {
    take: 100,
    search: values["categoryName"]?.trim().slice(0, 255),
  });
  const editing = useEditing(etag);
  // This is the existing site with which the service answers, rather than create a second one of that name.
  const [twin, setTwin] = useState<Site | null>(null);
  const lacking = emptied(values, before, ["name"]);
  const set = (name: string) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const field = (name: string, label: string) => ({
    label,
    value: values[name] ?? "",
    onChange: set(name),
    error: lacking[name] ?? editing.wrong[name],
  });
  const create = async (body: UpdateSiteBody) => {
    setTwin(null);
    const answer = await api.createSite({ status: "active", ...body } as CreateSiteBody);
    return { ...answer, data: { made: answer.data, isNew: answer.status === 201 } };
  };
  const save = async (): Promise<void> => {
    const body = bodyOf(values, before);
    await (site
      ? editing.save(
          (version) => api.updateSite(site.id, body, version),
          ({ id }) => onSaved(id),
        )
      : editing.save(
          () => create(body),
          ({ made, isNew }) => (isNew ? onSaved(made.id) : setTwin(made)),
        ));
  };
  return (
    <ClosingForm isBusy={editing.isBusy} onSend={save}>
      <div class="fields">
        <Text {...field("name", "Name")} isRequired isWhole maxLength={255} autoFocus />
        <Text {...field("domain", "Domain")} hint="The shop’s own, such as shop.example" maxLength={253} />
        <Text
          {...field("categoryName", "What it sells")}
          hint="Choose from the list as you type; offers fit better then"
          list="categories"
        />
        <datalist id="categories">
          {categories.data?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Text {...field("description", "Description")} rows={2} isWhole maxLength={2_000} />
        <Text {...field("orderVolume", "Orders per month")} type="number" min={0} step={1} />
        <Text {...field("averageOrder", "Average order (USD)")} type="number" min={0} step="any" />
        <Select {...field("ageDemographics", "Customers’ age")} choices={orNotSet(AGES)} />
        <Select {...field("genderDemographics", "Customers’ gender")} choices={orNotSet(GENDERS)} />
      </div>
      {twin && (
        <p class="note warn" role="alert">
          You already have a site with this name, and nothing was changed. Choose another name, or{" "}
          <a href={`/console/sites/${twin.id}`}>go to that site</a>.
        </p>
      )}
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        action={site ? "Save" : "Create"}
        isReady={Object.keys(bodyOf(values, before)).length > 0 && Object.keys(lacking).length === 0}
        isChanged={!isSame(values, before)}
      />
    </ClosingForm>
  );
};

/** Shows a dialog that changes a site. */
export const EditSite = ({
  id,
  onSaved,
  onClose,
}: {
  id: string;
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element => (
  <EditDialog
    title="Edit the site"
    isWide
    of={useRead("getSite", id)}
    onClose={onClose}
    form={(site, edited) => <SiteForm {...edited} site={site} onSaved={onSaved} />}
  />
);
