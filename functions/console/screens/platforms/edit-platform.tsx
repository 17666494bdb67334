import type { Platform } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { labelOf } from "../../core/labels.ts";
import { Check, Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { RAISED } from "./new-platform.tsx";

const Form = ({ of, onSaved, onClose }: { of: Platform; onSaved: () => void; onClose: () => void }): JSX.Element => {
  const [name, setName] = useState(of.name);
  const [elevatedLimits, setRaised] = useState(of.elevatedLimits);
  // Platforms have no versions: only what was changed is sent, so that what somebody else has changed stays.
  const editing = useEditing(null);
  const given = name.trim();
  const body = {
    ...(given !== of.name && { name: given }),
    ...(elevatedLimits !== of.elevatedLimits && { elevatedLimits }),
  };
  const isChanged = Object.keys(body).length > 0;
  return (
    <ClosingForm isBusy={editing.isBusy} onSend={() => editing.save(() => api.updatePlatform(of.id, body), onSaved)}>
      <Text
        label="Name"
        value={name}
        onChange={setName}
        error={editing.wrong["name"]}
        isRequired
        maxLength={255}
        autoFocus
      />
      <Check label={labelOf("elevatedLimits")} hint={RAISED} checked={elevatedLimits} onChange={setRaised} />
      <FormEnd
        editing={editing}
        onReload={() => undefined}
        onCancel={onClose}
        isReady={isChanged && given !== ""}
        isChanged={isChanged}
      />
    </ClosingForm>
  );
};

/** Shows a dialog to rename a platform and to raise its limits. */
export const EditPlatform = ({
  platform,
  ...then
}: {
  platform: Platform;
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element => (
  <Dialog title="Edit the platform" onClose={then.onClose}>
    <Form of={platform} {...then} />
  </Dialog>
);
