import type { JSX } from "preact";

/** Shows a filter that came with the address, and takes it away. */
export const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }): JSX.Element => (
  <button type="button" class="button little" onClick={onRemove} aria-label={`Filter ${text}, take away`}>
    <span dir="auto">{text}</span> ✕
  </button>
);
