import { memberOf } from "../../core/objects.ts";
import type * as z from "zod";

/** Says of a value, by its path, what is wrong with it. */
export type Fault = { path: string; message: string };

type Issue = z.core.$ZodIssue;

/** Lists the kinds of issues behind which no other of the same value says more. */
const FINAL: ReadonlySet<Issue["code"]> = new Set(["invalid_type", "invalid_value", "too_small", "too_big"]);

/**
 * Lists what a schema finds wrong, each fault once: of a value that is of another type or length, zod also says what follows
 * from that.
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

/** Lists what is wrong with parameters: of one that comes several times and may not, only that. */
export const parameterFaultsOf = (error: z.core.$ZodError, input: unknown): Fault[] => {
  const isRepeated = (path: string) => Array.isArray(memberOf(input, path));
  const faults = faultsOf(error);
  const repeated = new Set(faults.map(({ path }) => path).filter(isRepeated));
  return [
    ...[...repeated].map((path) => ({ path, message: "must be given once" })),
    ...faults.filter(({ path }) => !repeated.has(path)),
  ];
};
