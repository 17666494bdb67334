import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { Button } from "../button.tsx";
import { Sending } from "./form.tsx";

/** Shows an entry of a field that is removed by a press. A long text is cut. */
export const Removable = ({
  what,
  text,
  title = text,
  onRemove,
}: {
  /** Says what the entry is, to those who do not see the field around it. */
  what: string;
  text: string;
  /** Tells more to those who point at it. */
  title?: string;
  onRemove: () => void;
}): JSX.Element => (
  <Button look="little chip" label={`Remove ${what} ${text}`} isOff={useContext(Sending)} onPress={onRemove}>
    <span dir="auto" title={title}>
      {text}
    </span>{" "}
    ✕
  </Button>
);
