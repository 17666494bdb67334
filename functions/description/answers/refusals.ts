import { ACCESS, type Access } from "../../http/credentials/auth.ts";
import type { ErrorName } from "./errors.ts";
import type { Operation } from "../operations/operation.ts";
import type { Walked } from "../walk.ts";

const ofManagement = (route: Walked, access: Access): ErrorName[] => {
  const kinds: readonly string[] = ACCESS[access];
  const isChange = route.method !== "GET";
  const takesBody = route.body !== null;
  const reads = takesBody || route.query !== null;
  return [
    ...(reads || route.isStrict || route.takesTag || route.takesKey ? (["invalid"] as const) : []),
    ...(route.bodyOptions.enumerated ? (["disallowed"] as const) : []),
    access === "platform" ? "invalidToken" : "unauthorized",
    // Tokens of publishers may be read-only, and a publisher may be out of reach.
    ...((isChange && kinds.includes("publisher")) || route.reachesPublisher ? (["readOnly"] as const) : []),
    ...(route.ids.length > 0 ? (["missing"] as const) : []),
    ...(route.takesTag ? (["stale"] as const) : []),
    ...(route.takesKey ? (["keyReused"] as const) : []),
    ...(route.takesKey === "shown once" ? (["conflict"] as const) : []),
    // A strict route reads even a body that it does not take, to name what is in it.
    ...(takesBody || (isChange && route.isStrict) ? (["tooLarge"] as const) : []),
    ...(takesBody ? (["unsupportedType"] as const) : []),
    ...(isChange ? (["tooMany"] as const) : []),
    "failure",
    "unavailable",
  ];
};

const ofAdvertisers = (route: Walked): ErrorName[] => [
  "unauthorized",
  ...(route.readsBody ? (["tooLarge", "otherType"] as const) : []),
  "failure",
  "unavailable",
];

const ofOthers = (operation: Operation): ErrorName[] => [
  ...(operation.access === "page" ? (["unauthorized"] as const) : []),
  ...(operation.id === "getHealth" ? [] : (["failure", "unavailable"] as const)),
];

/** Lists the refusals of an operation: those that follow from its parts, and those that its handler adds. */
export const refusalsOf = (route: Walked, operation: Operation): ErrorName[] => {
  const derived =
    route.access === null
      ? ofOthers(operation)
      : route.access === "advertiser"
        ? ofAdvertisers(route)
        : ofManagement(route, route.access);
  return [...new Set([...derived, ...(operation.errors ?? [])])];
};
