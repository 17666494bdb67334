import type { JSX } from "preact";

/** Shows a filter that came with the address, and removes it. A long name is cut. */
export const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }): JSX.Element => (
  <button type="button" class="button little chip" title={text} aria-label={`Remove filter ${text}`} onClick={onRemove}>
    <span dir="auto">{text}</span> ✕
  </button>
);
