import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useWho } from "../../api/who.ts";
import { Check, Select, Text } from "../../parts/fields/field.tsx";
import { MakeSecret } from "./make-secret.tsx";

/** Shows a dialog that makes a private token of a publisher. */
export const NewToken = ({
  publisherId,
  onDone,
  onClose,
}: {
  publisherId: string;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [name, setName] = useState("");
  const [access, setAccess] = useState<"READ" | "WRITE">("WRITE");
  const [hasRevenue, setRevenue] = useState(true);
  const { kind, revenueAccess, grossAccess } = useWho();
  const [hasGross, setGross] = useState(kind === "publisher" && grossAccess);
  const make = async (): Promise<string> => {
    const money = { revenueAccess: hasRevenue && revenueAccess, grossAccess: hasGross && grossAccess };
    const body = { name: name.trim(), access, ...money };
    return (await api.issueToken(publisherId, body)).data.bearer;
  };
  return (
    <MakeSecret
      title="New token"
      label="The new token"
      action="Create"
      make={make}
      onMade={onDone}
      onClose={onClose}
      isTyped={name.trim() !== ""}
    >
      <Text
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        maxLength={255}
        autoFocus
        hint="Who or what will use it, such as “Accounting”"
      />
      <Select
        label="Access"
        value={access}
        onChange={(value) => setAccess(value === "READ" ? value : "WRITE")}
        choices={[
          ["WRITE", "Read and change"],
          ["READ", "Read only"],
        ]}
      />
      {revenueAccess && <Check label="Its reports show revenue" checked={hasRevenue} onChange={setRevenue} />}
      {grossAccess && <Check label="Its reports show what advertisers owe" checked={hasGross} onChange={setGross} />}
    </MakeSecret>
  );
};
