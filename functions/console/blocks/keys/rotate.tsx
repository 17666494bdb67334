import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Select, type Choice } from "../../parts/fields/field.tsx";
import { MakeSecret } from "./make-secret.tsx";

const OVERLAPS: readonly Choice[] = [
  ["0", "The old one ends at once"],
  ["3600", "The old one works for an hour"],
  ["86400", "The old one works for a day"],
  ["604800", "The old one works for a week"],
  ["2592000", "The old one works for 30 days"],
];

/** Replaces a secret by a new one, which it shows once, with a time during which both work. */
export const Rotate = ({
  title,
  rotate,
  label,
  onDone,
  onClose,
  children,
}: {
  title: string;
  /** Makes the new one, and returns it. */
  rotate: (body: { overlapSeconds: number }) => Promise<string>;
  label: string;
  onDone: (secret: string) => void;
  onClose: () => void;
  children?: ComponentChildren;
}): JSX.Element => {
  const [overlap, setOverlap] = useState("86400");
  return (
    <MakeSecret
      title={title}
      label={label}
      action="Rotate"
      make={() => rotate({ overlapSeconds: Number(overlap) })}
      onMade={onDone}
      onClose={onClose}
    >
      {children}
      <Select
        label="The old one"
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
        hint="If it has leaked, let it end at once. Otherwise leave time to put the new one in its place."
      />
    </MakeSecret>
  );
};
