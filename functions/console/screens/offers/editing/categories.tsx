import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../../api/use.ts";
import { Bones } from "../../../parts/bits.tsx";
import { Check, Search } from "../../../parts/fields/field.tsx";
import { keepEnter } from "../../../parts/fields/form.tsx";
import { Group } from "../../../parts/fields/group.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { Removable } from "../../../parts/fields/removable.tsx";

const MOST = 100;

const Choices = ({ chosen, set }: { chosen: readonly string[]; set: (chosen: readonly string[]) => void }) => {
  const [search, setSearch] = useState("");
  const { data, pagination, error, isLoading, reload } = useRead("listCategories", { search, take: MOST });
  const others = (name: string) => chosen.filter((one) => one !== name);
  return (
    <div class="stack tight" onKeyDown={keepEnter}>
      <Search label="Part of a category’s name" value={search} onSearch={setSearch} isRoomy />
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones />}
      <div class={isLoading ? "choices is-loading" : "choices"} role="group" aria-label="Categories that may be chosen">
        {data?.map(({ id, name }) => (
          <Check
            key={id}
            label={name}
            checked={chosen.includes(name)}
            onChange={(on) => set(on ? [...others(name), name] : others(name))}
          />
        ))}
      </div>
      {data?.length === 0 && <p class="muted">No category has a name like that.</p>}
      {(pagination?.total ?? 0) > MOST && (
        <p class="muted small">These are the first {MOST}: type a part of the name.</p>
      )}
    </div>
  );
};

/** Shows a field for categories, which are chosen from the service's list, since nobody knows their names by heart. */
export const Categories = ({
  label,
  chosen,
  empty,
  error,
  onChange,
}: {
  label: string;
  chosen: readonly string[];
  /** Says what it means that nothing is chosen. */
  empty: string;
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group label={label} error={error}>
      <div class="row">
        {chosen.length === 0 && <span class="muted">{empty}</span>}
        {chosen.map((name) => (
          <Removable
            key={name}
            what="category"
            text={name}
            onRemove={() => onChange(chosen.filter((one) => one !== name))}
          />
        ))}
      </div>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Choose categories</summary>
        {isOpen && <Choices chosen={chosen} set={onChange} />}
      </details>
    </Group>
  );
};
