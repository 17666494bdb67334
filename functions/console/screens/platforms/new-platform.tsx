import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { MakeSecret } from "../../blocks/keys/make-secret.tsx";
import { labelOf } from "../../core/labels.ts";
import { Check, Text } from "../../parts/fields/field.tsx";
import { say } from "../../parts/toasts.tsx";

/** Says what raised limits are. */
export const RAISED = "Its publishers may switch sites 150 times a minute instead of 50.";

/** Shows a dialog that creates a platform, and then shows its token, once. */
export const NewPlatform = ({ onClose }: { onClose: () => void }): JSX.Element => {
  const [name, setName] = useState("");
  const [elevatedLimits, setRaised] = useState(false);
  const make = async (): Promise<string> => {
    const { data } = await api.createPlatform({ name: name.trim(), elevatedLimits });
    return data.token;
  };
  return (
    <MakeSecret
      title="New platform"
      label="The platform’s token"
      action="Create"
      make={make}
      onMade={() => say("The platform was created.")}
      onClose={onClose}
      isTyped={name.trim() !== ""}
    >
      <Text label="Name" value={name} onChange={setName} isRequired maxLength={255} autoFocus />
      <Check label={labelOf("elevatedLimits")} hint={RAISED} checked={elevatedLimits} onChange={setRaised} />
    </MakeSecret>
  );
};
