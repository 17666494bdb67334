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

const Chosen = ({
  what,
  id,
  isRefused,
  onRemove,
}: {
  what: Nameable;
  id: string;
  isRefused: boolean;
  onRemove: () => void;
}): JSX.Element => {
  const name = useName(what, id);
  const whole = name === id ? id : `${name} (${id})`;
  // A refusal names it by its id.
  return <Removable what={what} text={isRefused ? whole : name} title={whole} onRemove={onRemove} />;
};

/**
 * Shows a field for sites or publishers, which are picked by their names. A long list of ids may be pasted; the first
 * are shown by their names, those that were refused before all others.
 */
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
  const isRefused = (id: string): boolean => error?.includes(id) ?? false;
  const shown = chosen.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one))).slice(0, MOST_NAMED);
  return (
    <Group label={label} error={error}>
      <div class="row">
        {chosen.length === 0 && <span class="muted">{empty}</span>}
        {shown.map((id) => (
          <Chosen
            key={id}
            what={what}
            id={id}
            isRefused={isRefused(id)}
            onRemove={() => onChange(chosen.filter((one) => one !== id))}
          />
        ))}
        {chosen.length > shown.length && <span class="muted">and {count(chosen.length - shown.length)} more</span>}
        <Button look="little" isOff={useContext(Sending)} onPress={() => setPicking(true)}>
          Add a {what}
        </Button>
      </div>
      <details>
        <summary>Type or paste ids</summary>
        <Text
          label={`Ids of ${what}s`}
          value={written}
          rows={3}
          onChange={onWrite}
          hint="Separated by commas, spaces or line breaks"
        />
      </details>
      {isPicking && (
        <div onKeyDown={keepEnter}>
          <Pick
            what={what}
            onClose={() => setPicking(false)}
            onPick={({ id }) => {
              setPicking(false);
              // It comes first, since only the first of a long list are shown.
              onChange([id, ...chosen.filter((one) => one !== id)]);
            }}
          />
        </div>
      )}
    </Group>
  );
};
