import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../api/use.ts";
import { Search, Select, type Choice } from "../parts/fields/field.tsx";
import { keepEnter } from "../parts/fields/form.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { useName } from "./named.tsx";

const LISTS = {
  site: { list: "listSiteDirectory", label: "Site", none: "Choose a site" },
  advertiser: { list: "listAdvertisers", label: "Advertiser", none: "Choose an advertiser" },
} as const;
const MOST = 100;

/** Reads the name of something that the list does not have. */
const useMissing = (what: keyof typeof LISTS, id: string): string | null => {
  const isSite = what === "site";
  const site = useName("site", isSite ? id : "");
  const advertiser = useRead(!isSite && id !== "" ? "getAdvertiser" : null, id).data;
  // What was read before stays until the other one is there.
  const found = advertiser?.id === id ? advertiser.name : null;
  return isSite && id !== "" ? site : found;
};

/** Shows a field to choose one of many. If there are more than it lists, it finds them by a part of their names. */
export const Choose = ({
  what,
  value,
  onChange,
  error,
  isRequired = false,
}: {
  what: keyof typeof LISTS;
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  isRequired?: boolean;
}): JSX.Element => {
  const [search, setSearch] = useState("");
  const { list, label, none } = LISTS[what];
  const { data, pagination, error: failed, reload } = useRead(list, { search, take: MOST });
  const listed = (data ?? []).map(({ id, name }): Choice => [id, name]);
  const isListed = value === "" || listed.some(([id]) => id === value);
  const name = useMissing(what, data && !isListed ? value : "");
  const isMany = search !== "" || (pagination?.total ?? 0) > MOST;
  return (
    <div class="stack tight whole" onKeyDown={keepEnter}>
      {isMany && <Search label={`Part of the ${what}’s name`} value={search} onSearch={setSearch} isRoomy />}
      <Select
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        isRequired={isRequired}
        hint={
          isMany && (pagination?.total ?? 0) > MOST
            ? `These are the first ${MOST}: type a part of the name.`
            : undefined
        }
        choices={[["", none], ...(isListed ? [] : [[value, name ?? value] as const]), ...listed]}
      />
      {failed && <ProblemNote of={failed} retry={reload} />}
    </div>
  );
};
