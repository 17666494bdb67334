/** Says that required fields which were emptied can only be changed. */
export const emptied = (
  values: Record<string, string>,
  before: Record<string, string>,
  required: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value.trim() === "" && before[name] && required.includes(name))
      .map(([name]) => [name, "This can be changed, but not left empty"]),
  );
