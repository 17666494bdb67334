import type { ComponentChildren, DOMAttributes, FunctionComponent, JSX } from "preact";
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Sending } from "./form.tsx";
import { describedBy, Notes } from "./notes.tsx";

/** Stands for an input whose type is known only when it is rendered; the types of JSX ask for it in the code. */
const Input = "input" as unknown as FunctionComponent<Record<string, unknown>>;

type Common = {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  isWhole?: boolean;
  isRequired?: boolean;
};

const Around = ({
  label,
  hint,
  error,
  isWhole = false,
  id,
  children,
}: Common & { id: string; children: ComponentChildren }): JSX.Element => (
  <div class={isWhole ? "field whole" : "field"}>
    <label for={id}>{label}</label>
    {children}
    <Notes id={id} hint={hint} error={error} />
  </div>
);

/** Shows a field for a text, with its label, a hint, and what is wrong with it. */
export const Text = ({
  value,
  onChange,
  type = "text",
  inputMode,
  rows,
  maxLength,
  placeholder,
  list,
  min,
  max,
  step,
  autoFocus,
  autoComplete = "off",
  on,
  ...common
}: Common & {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "number" | "password" | "search" | "url" | "date" | "datetime-local";
  /**
   * Names the keyboard of a phone. The field's own type is not e-mail, since browsers accept fewer addresses than the
   * service.
   */
  inputMode?: "email";
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  list?: string;
  min?: number;
  max?: number | string;
  step?: number | "any";
  autoFocus?: boolean;
  autoComplete?: string;
  /** Listens to what else happens in a field of one line. */
  on?: Pick<DOMAttributes<HTMLInputElement>, "onPointerDown" | "onKeyDown" | "onBlur">;
}): JSX.Element => {
  const id = useId();
  const shared = {
    id,
    value,
    maxLength,
    placeholder,
    dir: "auto" as const,
    readOnly: useContext(Sending),
    required: common.isRequired ?? false,
    "aria-invalid": common.error !== undefined,
    "aria-describedby": describedBy(id, common.hint, common.error),
    onInput: (event: Event) =>
      event.currentTarget instanceof HTMLInputElement || event.currentTarget instanceof HTMLTextAreaElement
        ? onChange(event.currentTarget.value)
        : undefined,
  };
  return (
    <Around {...common} id={id}>
      {rows === undefined ? (
        <Input {...shared} {...{ type, inputMode, list, min, max, step, autoFocus, autoComplete, ...on }} />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
    </Around>
  );
};

/** Describes a choice of a list by its value and its words. */
export type Choice = readonly [value: string, text: string];

/** Shows a field for one of several values. A value that is none of them is shown as it is. */
export const Select = ({
  value,
  onChange,
  choices,
  ...common
}: Common & { value: string; onChange: (value: string) => void; choices: readonly Choice[] }): JSX.Element => {
  const id = useId();
  const isFixed = useContext(Sending);
  const isKnown = value === "" || choices.some(([choice]) => choice === value);
  return (
    <Around {...common} id={id}>
      <select
        id={id}
        value={value}
        required={common.isRequired ?? false}
        aria-disabled={isFixed}
        aria-invalid={common.error !== undefined}
        aria-describedby={describedBy(id, common.hint, common.error)}
        onChange={({ currentTarget: field }) => {
          // A list cannot be read-only, so any choice is undone.
          if (isFixed) field.value = value;
          else onChange(field.value);
        }}
      >
        {[...choices, ...(isKnown ? [] : [[value, value] as const])].map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  );
};

/** Shows a box to be ticked. One that is off stays as it is, and keeps the focus. */
export const Box = ({
  checked,
  label,
  isOff,
  onChange,
}: {
  checked: boolean;
  /** Names the box if no text beside it does. */
  label?: string;
  isOff: boolean;
  onChange: (checked: boolean) => void;
}): JSX.Element => {
  const isFixed = useContext(Sending) || isOff;
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      aria-disabled={isFixed}
      onClick={(event) => isFixed && event.preventDefault()}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
};

/** Shows a field that is ticked or not. */
export const Check = ({
  label,
  checked,
  isOff = false,
  onChange,
  hint,
}: {
  label: ComponentChildren;
  checked: boolean;
  /** Keeps it as it is, with the focus. */
  isOff?: boolean;
  onChange: (checked: boolean) => void;
  hint?: ComponentChildren;
}): JSX.Element => (
  <label class="check">
    <Box checked={checked} isOff={isOff} onChange={onChange} />
    <span>
      {label}
      {hint && <span class="under">{hint}</span>}
    </span>
  </label>
);

const SEARCH_MS = 300;

/** Shows a search field, which searches when the typing pauses. `/` goes to it. */
export const Search = ({
  value,
  onSearch,
  label,
  isRoomy = false,
}: {
  value: string;
  onSearch: (text: string) => void;
  label: string;
  /** Lets it take all the width there is. */
  isRoomy?: boolean;
}): JSX.Element => {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  // A filter that is chosen while the typing pauses has to be part of that search.
  const search = useRef(onSearch);
  search.current = onSearch;
  // This runs before the browser paints: later it would undo what somebody types next. A search from here is not
  // written back, since it lacks the trailing space after which the next word is typed.
  useLayoutEffect(() => {
    if (value !== asked.current) setTyped(value);
    asked.current = value;
  }, [value]);
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => {
      asked.current = typed.trim();
      search.current(asked.current);
    }, SEARCH_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class={isRoomy ? "field search roomy" : "field search"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        data-search
        maxLength={255}
        value={typed}
        autoComplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
};
