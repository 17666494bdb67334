import type { JSX } from "preact";
import { usePlatforms } from "../api/platforms.ts";
import { useWho } from "../api/who.ts";
import { words } from "../core/format.ts";
import { Chip } from "../parts/chip.tsx";
import { useName, type Nameable } from "./named.tsx";

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

/** Shows a list's filter with the name of what it is limited to, even if the list is empty. */
export const NamedChip = ({
  what,
  id,
  onRemove,
}: {
  what: Nameable;
  id: string;
  onRemove: () => void;
}): JSX.Element => <Chip text={`${words(what)}: ${useName(what, id)}`} onRemove={onRemove} />;
