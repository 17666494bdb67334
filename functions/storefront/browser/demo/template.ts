import type { Values } from "./settings.ts";

type Json = Record<string, unknown>;

const objectAt = (parent: Json, name: string): Json => {
  const value = parent[name];
  return typeof value === "object" && value !== null ? { ...value } : {};
};

/**
 * Returns an answer with the look that the panel is set to. Merchants set the same members in a placement's `data`;
 * here nothing is stored, so that nobody's placement changes.
 */
export const withTemplate = (answer: Json, values: Values): Json => {
  const templateData = objectAt(answer, "templateData");
  const templateConfig = objectAt(templateData, "templateConfig");
  for (const [path, value] of values) {
    const [first = "", second] = path.split(".");
    if (second !== undefined) templateConfig[first] = { ...objectAt(templateConfig, first), [second]: value };
    else if (first in templateData) templateData[first] = value;
  }
  const gridColumnsDesktop = String(values.get("columns")).split(" ");
  templateConfig["layoutConfig"] = { ...objectAt(templateConfig, "layoutConfig"), gridColumnsDesktop };
  return {
    ...answer,
    adDisplayDelay: values.get("adDisplayDelay") ?? 0,
    templateData: { ...templateData, templateConfig },
  };
};
