import type { Token } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { isSame } from "../../core/same.ts";
import { Check, Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { EditDialog } from "../edit-dialog.tsx";
import { FormEnd, useEditing, type Version } from "../editing.tsx";

type Values = Pick<Token, "name" | "revenueAccess" | "grossAccess">;

/** Holds a token and its version: as it was read, or as answered to its new name. */
type Base = { data: Token; etag: string | null };

/**
 * Changes the name and the money that is shown, each if it differs; the second change names the version that the first
 * made.
 *
 * @param onRenamed takes that version: if the second change fails, only that one is tried again
 */
const saveToken = async (
  publisherId: string,
  { data: { id, name, revenueAccess, grossAccess } }: Base,
  { name: given, ...access }: Values,
  version: Version,
  onRenamed: (renamed: Base) => void,
) => {
  const renamed = given === name ? null : await api.updateToken(publisherId, id, { name: given }, version);
  if (renamed) onRenamed(renamed);
  if (renamed && isSame(access, { revenueAccess, grossAccess })) return renamed;
  const next = renamed && version.ifMatch !== null ? { ifMatch: renamed.etag } : version;
  return api.updateTokenAccess(publisherId, id, access, next);
};

const Form = ({
  publisherId,
  token,
  etag,
  onRenamed,
  onSaved,
  onReload,
  onClose,
}: {
  publisherId: string;
  token: Token;
  etag: string | null;
  onRenamed: () => void;
  onSaved: () => void;
  onReload: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [base, setBase] = useState<Base>({ data: token, etag });
  const { name, revenueAccess, grossAccess } = base.data;
  const before: Values = { name, revenueAccess, grossAccess };
  const [values, setValues] = useState(before);
  const editing = useEditing(base.etag);
  const isManager = useWho().kind !== "publisher";
  const given = { ...values, name: values.name.trim() };
  const isChanged = !isSame(given, before);
  const renamed = (next: Base): void => {
    setBase(next);
    onRenamed();
  };
  const set = (change: Partial<Values>): void => setValues((now) => ({ ...now, ...change }));
  return (
    <ClosingForm
      isBusy={editing.isBusy}
      onSend={() => editing.save((version) => saveToken(publisherId, base, given, version, renamed), onSaved)}
    >
      <Text
        label="Name"
        value={values.name}
        onChange={(text) => set({ name: text })}
        error={editing.wrong["name"]}
        isRequired
        maxLength={255}
        autoFocus
      />
      {isManager && (
        <>
          <Check
            label="Its reports show revenue"
            checked={values.revenueAccess}
            onChange={(isShown) => set({ revenueAccess: isShown })}
          />
          <Check
            label="Its reports show what advertisers owe"
            checked={values.grossAccess}
            onChange={(isShown) => set({ grossAccess: isShown })}
          />
        </>
      )}
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        isReady={isChanged && given.name !== ""}
        isChanged={isChanged}
      />
    </ClosingForm>
  );
};

/** Shows a dialog in which a token is renamed; managers also set what money its reports show. */
export const EditToken = ({
  publisherId,
  id,
  onRenamed,
  onSaved,
  onClose,
}: {
  publisherId: string;
  id: string;
  /** Runs at once when the token was renamed: what follows may fail, but the new name stays. */
  onRenamed: () => void;
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element => (
  <EditDialog
    title="Change the token"
    of={useRead("getToken", publisherId, id)}
    onClose={onClose}
    form={(token, edited) => (
      <Form {...edited} publisherId={publisherId} token={token} onRenamed={onRenamed} onSaved={onSaved} />
    )}
  />
);
