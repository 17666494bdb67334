/**
 * Says of fields that had a value and were emptied that the API lets them only be changed.
 *
 * @param mayBeEmpty names those that the API takes empty
 */
export const emptied = (
  values: Record<string, string>,
  before: Record<string, string>,
  mayBeEmpty: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value.trim() === "" && before[name] && !mayBeEmpty.includes(name))
      .map(([name]) => [name, "This can be changed, but not emptied"]),
  );
