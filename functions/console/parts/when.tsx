import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isWhole } from "../core/times.ts";
import { Text } from "./fields/field.tsx";

const isDone = (key: string): boolean => key === "Enter" || key === "Tab";

/**
 * Shows a field for a day or a time. A picked value counts at once, a typed one with the Enter key or when the field is
 * left: while typing, the field has other values, which nobody meant.
 */
export const When = ({
  label,
  type = "date",
  value,
  mayBeEmpty = false,
  onTake,
}: {
  label: string;
  type?: "date" | "datetime-local";
  value: string;
  mayBeEmpty?: boolean;
  onTake: (value: string) => void;
}): JSX.Element => {
  const [shown, setShown] = useState(value);
  const isTyped = useRef(false);
  // This runs before the browser paints: later it would undo what somebody types next.
  useLayoutEffect(() => setShown(value), [value]);
  const take = ({ value: text, validity }: HTMLInputElement): void => {
    isTyped.current = false;
    if (text === value && !validity.badInput) return;
    if (isWhole(text) || (mayBeEmpty && text === "" && !validity.badInput)) onTake(text);
    else setShown(value);
  };
  const change = (text: string): void => {
    setShown(text);
    if (!isTyped.current && isWhole(text)) onTake(text);
  };
  return (
    <Text
      label={label}
      type={type}
      value={shown}
      onChange={change}
      on={{
        onPointerDown: () => (isTyped.current = false),
        onKeyDown: ({ key, currentTarget }) => {
          if (!isDone(key)) isTyped.current = true;
          else if (isTyped.current) take(currentTarget);
        },
        onBlur: ({ currentTarget }) => take(currentTarget),
      }}
    />
  );
};
