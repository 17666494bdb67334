import type { JSX } from "preact";
import { useRead } from "../api/use.ts";
import { Chip } from "../parts/chip.tsx";

const READS = {
  Publisher: "listPublisherDirectory",
  Site: "listSiteDirectory",
} as const;

/** Shows the filter of a list by the name of what it keeps to, also where the list has nothing of it; its id until then. */
export const NamedChip = ({
  what,
  id,
  onRemove,
}: {
  what: keyof typeof READS;
  id: string;
  onRemove: () => void;
}): JSX.Element => {
  const name = useRead(READS[what], { id }).data?.[0]?.name;
  return <Chip text={`${what}: ${name ?? id}`} onRemove={onRemove} />;
};
