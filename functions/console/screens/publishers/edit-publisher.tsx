import type { CreatePublisherBody, NewPublisher as Made, UpdatePublisherBody } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { EditDialog } from "../../blocks/edit-dialog.tsx";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { emptied } from "../../core/emptied.ts";
import { isSame } from "../../core/same.ts";
import { Copy, Secret } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { useUnsaved } from "../../parts/moving/unsaved.ts";

type Values = { name: string; contactName: string; contactEmail: string; contactPhone: string };

const Form = ({
  before,
  etag,
  send,
  onReload,
  onClose,
  action,
}: {
  before: Values;
  etag: string | null;
  send: (editing: ReturnType<typeof useEditing>, body: UpdatePublisherBody) => Promise<unknown>;
  onReload: () => void;
  onClose: () => void;
  action: string;
}): JSX.Element => {
  const [values, setValues] = useState(before);
  const editing = useEditing(etag);
  const lacking = emptied(values, before, ["name", "contactName", "contactEmail"]);
  const changed: UpdatePublisherBody = Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value.trim() !== before[name as keyof Values])
      .map(([name, value]) => [name, value.trim() || null]),
  );
  const field = (name: keyof Values, label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    error: lacking[name] ?? editing.wrong[name],
    maxLength: 255,
  });
  return (
    <ClosingForm isBusy={editing.isBusy} onSend={() => send(editing, changed)}>
      <Text {...field("name", "Name")} isRequired autoFocus />
      <Text {...field("contactName", "Contact’s name")} isRequired />
      <Text {...field("contactEmail", "Contact’s e-mail")} inputMode="email" isRequired />
      <Text {...field("contactPhone", "Contact’s phone")} />
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        action={action}
        isReady={Object.keys(changed).length > 0 && Object.keys(lacking).length === 0}
        isChanged={!isSame(values, before)}
      />
    </ClosingForm>
  );
};

const NOBODY: Values = { name: "", contactName: "", contactEmail: "", contactPhone: "" };

/** Shows a dialog in which a publisher changes its name and contacts. */
export const EditPublisher = ({ id, onSaved, onClose }: { id: string; onSaved: () => void; onClose: () => void }) => (
  <EditDialog
    title="Edit the publisher"
    of={useRead("getPublisher", id)}
    onClose={onClose}
    form={({ name, contactName, contactEmail, contactPhone }, edited) => (
      <Form
        {...edited}
        before={{ name, contactName, contactEmail, contactPhone: contactPhone ?? "" }}
        action="Save"
        send={(editing, body) => editing.save((version) => api.updatePublisher(id, body, version), onSaved)}
      />
    )}
  />
);

/** Shows a dialog in which a platform creates a publisher, and then shows its keys, once. */
export const NewPublisher = ({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }) => {
  const [made, setMade] = useState<Made | null>(null);
  const [isBusy, setBusy] = useState(false);
  useUnsaved(isBusy || made !== null);
  return (
    <Dialog
      title={made ? "The publisher’s keys" : "New publisher"}
      onClose={onClose}
      mayLeave={made === null && !isBusy}
    >
      {made ? (
        <div class="stack">
          <h3>Public key, for its pages</h3>
          <div class="secret">
            <code>{made.publicKeys[0]}</code>
            <Copy text={made.publicKeys[0] ?? ""} />
          </div>
          <h3>Private token, for its server</h3>
          <Secret value={made.privateKeys[0]?.bearer ?? ""} label="The private token" />
          <div class="actions">
            <button type="button" class="button main-action" onClick={() => onDone(made.id)}>
              I have copied it
            </button>
          </div>
        </div>
      ) : (
        <Form
          before={NOBODY}
          etag={null}
          action="Create"
          send={async (editing, body) => {
            setBusy(true);
            await editing.save(() => api.createPublisher(body as CreatePublisherBody), setMade);
            setBusy(false);
          }}
          onReload={() => undefined}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};
