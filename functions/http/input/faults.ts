import { memberOf } from "../../core/objects.ts";
import type * as z from "zod";

/** Says what is wrong with the value at a path. */
export type Fault = { path: string; message: string };

type Issue = z.core.$ZodIssue;

/** Lists the kinds of issues after which further ones about the same value add nothing. */
const FINAL: ReadonlySet<Issue["code"]> = new Set(["invalid_type", "invalid_value", "too_small", "too_big"]);

/**
 * Lists what a schema finds wrong, each fault once: for a value of a wrong type or length, zod also reports what
 * follows from that.
 */
export const faultsOf = ({ issues }: z.core.$ZodError): Fault[] => {
  const settled = new Set<string>();
  return issues.flatMap(({ path, code, message }) => {
    const at = path.map(String).join(".");
    if (settled.has(at)) return [];
    if (FINAL.has(code)) settled.add(at);
    return [{ path: at, message }];
  });
};

/** Lists what is wrong with parameters. For one that comes several times and may not, it lists only that. */
export const parameterFaultsOf = (error: z.core.$ZodError, input: unknown): Fault[] => {
  const isRepeated = (path: string) => Array.isArray(memberOf(input, path));
  const faults = faultsOf(error);
  const repeated = new Set(faults.map(({ path }) => path).filter(isRepeated));
  return [
    ...[...repeated].map((path) => ({ path, message: "must be given once" })),
    ...faults.filter(({ path }) => !repeated.has(path)),
  ];
};
