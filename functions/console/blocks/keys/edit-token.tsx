import type { Token } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { isSame } from "../../core/same.ts";
import { Bones } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Text } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { FormEnd, useEditing, type Version } from "../editing.tsx";

type Values = Pick<Token, "name" | "revenueAccess" | "grossAccess">;

/** Changes the name and what money is shown, each where it differs; the second in the version that the first has made. */
const saveToken = async (publisherId: string, token: Token, { name, ...access }: Values, version: Version) => {
  const { revenueAccess, grossAccess } = token;
  const isRenamed = name !== token.name;
  const renamed = isRenamed ? await api.updateToken(publisherId, token.id, { name }, version) : null;
  if (renamed && isSame(access, { revenueAccess, grossAccess })) return renamed;
  const next = renamed && version.ifMatch !== null ? { ifMatch: renamed.etag } : version;
  return api.updateTokenAccess(publisherId, token.id, access, next);
};

const Form = ({
  publisherId,
  token,
  etag,
  onSaved,
  onReload,
  onClose,
}: {
  publisherId: string;
  token: Token;
  etag: string | null;
  onSaved: () => void;
  onReload: () => void;
  onClose: () => void;
}): JSX.Element => {
  const before: Values = { name: token.name, revenueAccess: token.revenueAccess, grossAccess: token.grossAccess };
  const [values, setValues] = useState(before);
  const editing = useEditing(etag);
  const isManager = useWho().kind !== "publisher";
  const given = { ...values, name: values.name.trim() };
  const isChanged = !isSame(given, before);
  const set = (change: Partial<Values>): void => setValues((now) => ({ ...now, ...change }));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void editing.save((version) => saveToken(publisherId, token, given, version), onSaved);
      }}
    >
      <Text
        label="Name"
        value={values.name}
        onChange={(name) => set({ name })}
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
            onChange={(revenueAccess) => set({ revenueAccess })}
          />
          <Check
            label="Its reports show what advertisers owe"
            checked={values.grossAccess}
            onChange={(grossAccess) => set({ grossAccess })}
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
    </form>
  );
};

/** Shows a dialog in which a token is renamed; managers also set what money its reports show. */
export const EditToken = ({
  publisherId,
  id,
  onSaved,
  onClose,
}: {
  publisherId: string;
  id: string;
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element => {
  const { data, etag, error, reload } = useRead("getToken", publisherId, id);
  return (
    <Dialog title="Change the token" onClose={onClose}>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones />}
      {data && (
        <Form
          key={etag}
          publisherId={publisherId}
          token={data}
          etag={etag}
          onSaved={onSaved}
          onReload={reload}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};
