import type { JSX } from "preact";
import { nameIn, valuesIn, type Names } from "../../core/closed.ts";
import { Check } from "./field.tsx";
import { Group } from "./group.tsx";

/** Shows a field for some values of a closed set. A value that this console does not know stays chosen, as it is. */
export const Ticks = ({
  label,
  names,
  chosen,
  empty,
  error,
  onChange,
}: {
  label: string;
  names: Names;
  chosen: readonly string[];
  /** Says what it means that nothing is ticked. */
  empty: string;
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element => {
  const values = valuesIn(names, chosen);
  return (
    <Group label={label} hint={`None ticked means ${empty.toLowerCase()}`} error={error}>
      <div class="ticks">
        {values.map((value) => (
          <Check
            key={value}
            label={nameIn(names, value)}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(values.filter((one) => (one === value ? on : chosen.includes(one))))}
          />
        ))}
      </div>
    </Group>
  );
};
