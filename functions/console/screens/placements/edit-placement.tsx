import type { CreatePlacementBody, Placement } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { Choose } from "../../blocks/choose.tsx";
import { EditDialog } from "../../blocks/edit-dialog.tsx";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { emptied } from "../../core/emptied.ts";
import { isSame } from "../../core/same.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Select, Text, type Choice } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";

const PAGES: readonly Choice[] = [
  ["THANK_YOU_PAGE", "Thank-you page"],
  ["ORDER_PAGE", "Order page"],
];

const MODES: readonly Choice[] = [
  ["true", "Live: real offers, which are counted"],
  ["false", "Test: sample offers, which are not counted"],
];

type Values = { siteId: string; name: string; pageType: string; isLiveMode: string; template: string };

const bodyOf = (values: Values, before: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value.trim() !== before[name as keyof Values] && value.trim() !== "")
      .map(([name, value]) => {
        if (name === "isLiveMode") return [name, value === "true"];
        return [name, name === "template" ? Number(value) : value.trim()];
      }),
  );

const Form = ({
  placement,
  siteId = "",
  etag,
  onSaved,
  onReload,
  onClose,
}: {
  placement: Placement | null;
  siteId?: string | undefined;
  etag: string | null;
  onSaved: (id: string) => void;
  onReload: () => void;
  onClose: () => void;
}): JSX.Element => {
  const before: Values = {
    siteId: placement?.siteId ?? "",
    name: placement?.name ?? "",
    pageType: placement?.pageType ?? "",
    isLiveMode: placement ? String(placement.isLiveMode) : "",
    template: placement ? String(placement.template) : "",
  };
  const first = placement ? before : { ...before, siteId, pageType: "THANK_YOU_PAGE", isLiveMode: "false" };
  const [values, setValues] = useState<Values>(first);
  const editing = useEditing(etag);
  const body = bodyOf(values, before);
  const lacking = emptied(values, before, ["name", "template"]);
  const field = (name: keyof Values, label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    error: lacking[name] ?? editing.wrong[name],
  });
  const save = async (): Promise<void> => {
    await (placement
      ? editing.save(
          (version) => api.updatePlacement(placement.id, body, version),
          ({ id }) => onSaved(id),
        )
      : editing.save(
          () => api.createPlacement(body as CreatePlacementBody),
          ({ id }) => onSaved(id),
        ));
  };
  return (
    <ClosingForm isBusy={editing.isBusy} onSend={save}>
      <div class="fields">
        {!placement && <Choose what="site" isRequired {...field("siteId", "Site")} />}
        <Text {...field("name", "Name")} isRequired isWhole maxLength={255} autoFocus />
        <Select {...field("pageType", "Page")} choices={PAGES} />
        <Select {...field("isLiveMode", "Mode")} isWhole choices={MODES} />
        {placement && (
          <Text
            {...field("template", "Template")}
            type="number"
            min={1}
            max={21}
            step={1}
            hint="A number for your own use; it changes nothing here"
          />
        )}
      </div>
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        action={placement ? "Save" : "Create"}
        isChanged={!isSame(values, first)}
        isReady={Object.keys(body).length > 0 && Object.keys(lacking).length === 0}
      />
    </ClosingForm>
  );
};

/** Shows a dialog that creates a placement, for a site if one is given. */
export const NewPlacement = ({
  siteId,
  onSaved,
  onClose,
}: {
  siteId?: string;
  onSaved: (id: string) => void;
  onClose: () => void;
}) => (
  <Dialog title="New placement" onClose={onClose}>
    <Form placement={null} siteId={siteId} etag={null} onSaved={onSaved} onReload={() => undefined} onClose={onClose} />
  </Dialog>
);

/** Shows a dialog that changes a placement. */
export const EditPlacement = ({ id, onSaved, onClose }: { id: string; onSaved: () => void; onClose: () => void }) => (
  <EditDialog
    title="Edit the placement"
    of={useRead("getPlacement", id)}
    onClose={onClose}
    form={(placement, edited) => <Form {...edited} placement={placement} onSaved={onSaved} />}
  />
);
