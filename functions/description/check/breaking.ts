/** Holds the result of Redocly's `diff`, as far as it is used. */
export type DiffReport = {
  changes: {
    path: string;
    kind: string;
    impact: string;
    verdicts: { message: string; impact: string }[];
  }[];
};

/** Describes a change that breaks clients: its endpoint, such as `POST /api/site`, and what changed. */
export type Breaking = { endpoint: string; what: string };

/**
 * Returns the endpoint in a pointer such as `#/paths/~1api~1site~1{id}/put/…`; the path alone if it names no method.
 */
const endpointOf = (pointer: string): string => {
  const [, kind, path = "", method] = pointer.split("/");
  if (kind !== "paths") return pointer;
  const routed = path
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")
    .replaceAll(/\{(\w+)\}/g, ":$1");
  return method === undefined ? routed : `${method.toUpperCase()} ${routed}`;
};

/** Tells whether a body lost a member: Redocly accepts that, but the service refuses unknown members. */
const losesMember = ({ kind, path }: DiffReport["changes"][number]): boolean =>
  kind === "removed" && /\/requestBody\/.*\/properties\/[^/]+$/.test(path);

/** Lists the changes that break clients. */
export const breakingChanges = ({ changes }: DiffReport): Breaking[] =>
  changes
    .filter((change) => change.impact === "major" || losesMember(change))
    .map(({ path, verdicts }) => ({
      endpoint: endpointOf(path),
      what: verdicts.map(({ message }) => message).join(" ") || `A body lost ${path.slice(path.lastIndexOf("/") + 1)}.`,
    }));

/** Lists the changes whose endpoints the changelog does not name under what is unreleased. */
export const unannounced = (changes: readonly Breaking[], changelog: string): string[] => {
  const [, unreleased = ""] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  return changes
    .filter(({ endpoint }) => !unreleased.includes(`${endpoint}\``))
    .map(({ endpoint, what }) => `${endpoint}: ${what}`);
};
