import type { AdvertiserWithSecret } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { EditDialog, type Edited } from "../../blocks/edit-dialog.tsx";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { Select, Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";

/** Says where an advertiser's offers may be shown, by its reach. */
export const REACHES: Record<AdvertiserWithSecret["reach"], string> = {
  PLATFORM: "At its platform’s publishers",
  NETWORK: "Everywhere",
};

const Form = ({
  of,
  etag,
  onSaved,
  onReload,
  onClose,
}: Edited & {
  of: AdvertiserWithSecret;
  onSaved: () => void;
}): JSX.Element => {
  const who = useWho();
  const [name, setName] = useState(of.name);
  const [reach, setReach] = useState(of.reach);
  const editing = useEditing(etag);
  const body = { ...(name.trim() !== of.name && { name: name.trim() }), ...(reach !== of.reach && { reach }) };
  return (
    <ClosingForm
      isBusy={editing.isBusy}
      onSend={() => editing.save((version) => api.updateAdvertiser(of.id, body, version), onSaved)}
    >
      <Text label="Name" value={name} onChange={setName} error={editing.wrong["name"]} isRequired maxLength={255} />
      {who.kind === "admin" && of.platformId !== null && (
        <Select
          label="Its offers serve"
          value={reach}
          onChange={(value) => setReach(value === "NETWORK" ? value : "PLATFORM")}
          error={editing.wrong["reach"]}
          choices={Object.entries(REACHES)}
        />
      )}
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        isReady={Object.keys(body).length > 0}
        isChanged={Object.keys(body).length > 0}
      />
    </ClosingForm>
  );
};

/** Shows a dialog to rename an advertiser, and for the administrator to open it to the network. */
export const EditAdvertiser = ({ id, onSaved, onClose }: { id: string; onSaved: () => void; onClose: () => void }) => (
  <EditDialog
    title="Edit the advertiser"
    of={useRead("getAdvertiser", id)}
    onClose={onClose}
    form={(of, edited) => <Form {...edited} of={of} onSaved={onSaved} />}
  />
);
