/** Tells whether JSON is nested deeper than so many levels, without parsing it. */
export const isDeeper = (json: string, levels: number): boolean => {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted && char === "\\") i += 1;
    else if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > levels) return true;
  }
  return false;
};
