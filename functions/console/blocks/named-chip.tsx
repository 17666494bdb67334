import type { JSX } from "preact";
import { usePlatforms } from "../api/platforms.ts";
import { useRead } from "../api/use.ts";
import { useWho } from "../api/who.ts";
import { Chip } from "../parts/chip.tsx";

const READS = {
  Publisher: "listPublisherDirectory",
  Site: "listSiteDirectory",
} as const;

/** Returns the name of a platform: the administrator sees all platforms, others only their own. */
const usePlatformName = (id: string): string | null | undefined => {
  const { kind, id: own, name } = useWho();
  const all = usePlatforms("", kind === "admin").data;
  return id === own ? name : all?.find((platform) => platform.id === id)?.name;
};

/** Shows that a list is limited to a platform. */
export const PlatformChip = ({ id, onRemove }: { id: string; onRemove: () => void }): JSX.Element => (
  <Chip text={`Platform: ${usePlatformName(id) ?? id}`} onRemove={onRemove} />
);

/**
 * Shows a list's filter with the name of what it is limited to, even if the list is empty; until the name is read, with
 * its id.
 */
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
