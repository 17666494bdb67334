import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { MOST_NAMED, useName, type Nameable } from "../../../blocks/named.tsx";
import { Pick } from "../../../blocks/pick.tsx";
import { count } from "../../../core/format.ts";
import { Button } from "../../../parts/button.tsx";
import { Text } from "../../../parts/fields/field.tsx";
import { keepEnter, Sending } from "../../../parts/fields/form.tsx";
import { Group } from "../../../parts/fields/group.tsx";
import { Removable } from "../../../parts/fields/removable.tsx";

const Chosen = ({ what, id, onRemove }: { what: Nameable; id: string; onRemove: () => void }): JSX.Element => (
  <Removable what={what} text={useName(what, id)} onRemove={onRemove} />
);

/** Shows a field for sites or publishers, which are picked by their names. A long list of ids may be pasted. */
export const Ids = ({
  label,
  what,
  chosen,
  empty,
  written,
  error,
  onChange,
  onWrite,
}: {
  label: string;
  what: Nameable;
  chosen: readonly string[];
  /** Says what it means that nothing is chosen. */
  empty: string;
  /** Holds the ids as they were typed. */
  written: string;
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
  onWrite: (text: string) => void;
}): JSX.Element => {
  const [isPicking, setPicking] = useState(false);
  const ids = [...new Set(chosen)];
  return (
    <Group label={label} error={error}>
      <div class="row">
        {ids.length === 0 && <span class="muted">{empty}</span>}
        {ids.slice(0, MOST_NAMED).map((id) => (
          <Chosen key={id} what={what} id={id} onRemove={() => onChange(ids.filter((one) => one !== id))} />
        ))}
        {ids.length > MOST_NAMED && <span class="muted">and {count(ids.length - MOST_NAMED)} more</span>}
        <Button look="little" isOff={useContext(Sending)} onPress={() => setPicking(true)}>
          Add a {what}
        </Button>
      </div>
      <details>
        <summary>Write or paste ids</summary>
        <Text
          label={`Ids of ${what}s`}
          value={written}
          rows={3}
          onChange={onWrite}
          hint="With commas or spaces between"
        />
      </details>
      {isPicking && (
        <div onKeyDown={keepEnter}>
          <Pick
            what={what}
            onClose={() => setPicking(false)}
            onPick={({ id }) => {
              setPicking(false);
              if (!ids.includes(id)) onChange([...ids, id]);
            }}
          />
        </div>
      )}
    </Group>
  );
};
