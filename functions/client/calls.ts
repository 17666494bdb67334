type Parameter = { name: string; in: string; required: boolean; example?: unknown };

/** Describes an operation, as far as an example of it needs. */
export type Exemplified = {
  operationId: string;
  path: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
};

const WIDTH = 88;

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Writes a value as code, on one line if that is short. */
const written = (value: unknown, indent = ""): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => written(item, inner))
    : Object.entries(value).map(([name, member]) => `${keyOf(name)}: ${written(member, inner)}`);
  if (parts.length === 0) return isList ? "[]" : "{}";
  const short = isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (indent.length + short.length <= WIDTH && !short.includes("\n")) return short;
  return `${isList ? "[" : "{"}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${isList ? "]" : "}"}`;
};

/** Returns a parameter's example; three dots where there is none. */
export const exampleOf = ({ example }: Parameter): unknown => example ?? "…";

/** Lists the parameters in an operation's example: required ones, and those with an example. */
export const exampleParameters = ({ parameters = [] }: Exemplified, place: "path" | "query"): Parameter[] =>
  parameters.filter((one) => one.in === place && (one.required || one.example !== undefined));

/** Returns the body in an operation's example; undefined if there is none. */
export const exampleBody = ({ requestBody }: Exemplified): unknown => requestBody?.content["application/json"]?.example;

/** Groups parameters by what comes before the dot in their names, as the client takes them. */
const gathered = (parameters: readonly Parameter[]): object => {
  const members: Record<string, unknown> = {};
  for (const one of parameters) {
    const [group = "", name] = one.name.split(".");
    if (name === undefined) members[group] = exampleOf(one);
    else members[group] = { ...(members[group] as object | undefined), [name]: exampleOf(one) };
  }
  return members;
};

/** Returns a call of an operation by the client, as code. Its ids, body and parameters are the description's examples. */
export const callOf = (operation: Exemplified): string => {
  const ids = exampleParameters(operation, "path").map((one) => written(exampleOf(one)));
  const body = exampleBody(operation);
  const more = exampleParameters(operation, "query");
  const given = [
    ...ids,
    ...(body === undefined ? [] : [written(body)]),
    ...(more.length === 0 ? [] : [written(gathered(more))]),
  ];
  return `lanyap.${operation.operationId}(${given.join(", ")})`;
};
