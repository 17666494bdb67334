import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { useRead } from "../../api/use.ts";
import { Bones } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { Check, Search } from "../../parts/field.tsx";
import { Sending } from "../../parts/form.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

const MOST = 100;

const Listed = ({ chosen, set }: { chosen: readonly string[]; set: (chosen: readonly string[]) => void }) => {
  const [search, setSearch] = useState("");
  const { data, pagination, error, isLoading, reload } = useRead("listCategories", { search, take: MOST });
  const others = (name: string) => chosen.filter((one) => one !== name);
  return (
    <div
      class="stack tight"
      onKeyDown={(event) => {
        // Enter in a search does not mean sending the form yet.
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
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
  error,
  onChange,
}: {
  label: string;
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const isFixed = useContext(Sending);
  return (
    <fieldset class="whole">
      <legend>{label}</legend>
      <div class="row">
        {chosen.length === 0 && <span class="muted">All</span>}
        {chosen.map((name) => (
          <Button
            key={name}
            look="little"
            label={`Remove category ${name}`}
            isOff={isFixed}
            onPress={() => onChange(chosen.filter((one) => one !== name))}
          >
            <span>{name}</span> ✕
          </Button>
        ))}
      </div>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Choose categories</summary>
        {isOpen && <Listed chosen={chosen} set={onChange} />}
      </details>
      {error && <span class="wrong">{error}</span>}
    </fieldset>
  );
};
