/** Holds what Redocly's `diff` tells of two descriptions, as far as it is looked at. */
export type DiffReport = {
  changes: {
    path: string;
    kind: string;
    impact: string;
    verdicts: { message: string; impact: string }[];
  }[];
};

/** Tells of a change that breaks clients: of which endpoint, `POST /api/site`, and what. */
export type Breaking = { endpoint: string; what: string };

/** Names the endpoint in a pointer such as `#/paths/~1api~1site~1{id}/put/…`: all of a path where it names no method. */
const endpointOf = (pointer: string): string => {
  const [, kind, path = "", method] = pointer.split("/");
  if (kind !== "paths") return pointer;
  const routed = path
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")
    .replaceAll(/\{(\w+)\}/g, ":$1");
  return method === undefined ? routed : `${method.toUpperCase()} ${routed}`;
};

/** Tells that a body lost a member: Redocly finds no fault with that, but what is not known is refused. */
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

/** Lists the changes whose endpoint the changelog does not name among what is not released yet. */
export const unannounced = (changes: readonly Breaking[], changelog: string): string[] => {
  const [, unreleased = ""] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  return changes
    .filter(({ endpoint }) => !unreleased.includes(`${endpoint}\``))
    .map(({ endpoint, what }) => `${endpoint}: ${what}`);
};
