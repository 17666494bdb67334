import type { Control } from "./settings.ts";

const inputOf = (control: Control): HTMLElement => {
  if ("options" in control) {
    const select = document.createElement("select");
    select.name = control.name;
    for (const option of control.options) select.append(new Option(option, option, false, option === control.value));
    return select;
  }
  const input = document.createElement("input");
  input.name = control.name;
  input.type = "on" in control ? "checkbox" : "number";
  if ("on" in control) input.defaultChecked = control.on;
  else {
    input.defaultValue = control.number;
    [input.min, input.step] = ["0", "any"];
    if (control.most !== undefined) input.max = String(control.most);
  }
  return input;
};

/** Adds controls to the panel, each with its label. */
export const addControls = (place: HTMLElement, controls: readonly Control[]): void => {
  for (const control of controls) {
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = control.label;
    label.className = "on" in control ? "switch" : "field";
    label.append(text, inputOf(control));
    place.append(label);
  }
};
