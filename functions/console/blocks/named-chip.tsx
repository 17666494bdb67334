import type { JSX } from "preact";
import { usePlatforms } from "../api/platforms.ts";
import { useRead } from "../api/use.ts";
import { useWho } from "../api/who.ts";
import { Chip } from "../parts/chip.tsx";

const READS = {
  Publisher: "listPublisherDirectory",
  Site: "listSiteDirectory",
} as const;

/** Returns what a platform is called: the administrator sees all of them, each other one its own. */
const usePlatformName = (id: string): string | null | undefined => {
  const { kind, id: own, name } = useWho();
  const all = usePlatforms("", kind === "admin").data;
  return id === own ? name : all?.find((platform) => platform.id === id)?.name;
};

/** Shows that a list is kept to a platform. */
export const PlatformChip = ({ id, onRemove }: { id: string; onRemove: () => void }): JSX.Element => (
  <Chip text={`Platform: ${usePlatformName(id) ?? id}`} onRemove={onRemove} />
);

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
  const name = useRead(READS[what], { id }).data?.find((row) => row.id === id)?.name;
  return <Chip text={`${what}: ${name ?? id}`} onRemove={onRemove} />;
};
