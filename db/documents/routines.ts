import { hash } from "@stablelib/sha256";
import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { toHex } from "../core/encoding.ts";
import { candidatesQuery } from "./candidates/candidates.ts";
import { keyQuery, placementQuery } from "./inventory.ts";
import { networkQuery } from "./network.ts";

/** Describes a query that the database keeps as a function, so that a session parses and plans it only once. */
export type Routine = {
  /**
   * Ends with a hash of the definition, so that each version of the Worker calls the routines that it was built with.
   */
  name: string;
  /** Holds the types of the parameters, `$1` and so on in the query. */
  types: readonly ("text" | "float8")[];
  query: string;
  /** Creates the function, unless it is there. */
  definition: string;
};

/** Says how many hex digits of the hash a name has: enough to tell all versions apart. */
const DIGITS = 12;

/**
 * Lists the settings that a routine is planned with: one plan for all parameters, since the rows to read depend on the
 * offers; by indexes, so that a plan made for few offers is still good when many were added since; and without
 * compilation, which would happen at each run.
 */
export const PLANNED_WITH = ["plan_cache_mode = force_generic_plan", "enable_seqscan = off", "jit = off"];

const settings = PLANNED_WITH.map((setting) => `set ${setting}`).join(" ");

const make = (kind: string, types: Routine["types"], query: SQL): Routine => {
  const text = new PgDialect().sqlToQuery(query.inlineParams()).sql;
  const body = `(${types.join(", ")}) returns json language plpgsql stable ${settings} as $body$ begin return (${text}); end $body$`;
  const name = `document_${kind}_${toHex(hash(new TextEncoder().encode(body))).slice(0, DIGITS)}`;
  return { name, types, query: text, definition: `create or replace function ${name}${body}` };
};

const parameter = (number: number): SQL => sql.raw(`$${number}`);

const makeAll = () => {
  const place = { placement: parameter(1), country: parameter(2) };
  const facts = { language: parameter(3), currency: parameter(4), paymentType: parameter(5) };
  const amounts = { from: parameter(6), below: parameter(7) };
  return {
    placement: make("placement", ["text"], placementQuery(parameter(1))),
    key: make("key", ["text"], keyQuery(parameter(1))),
    network: make("network", [], networkQuery()),
    candidates: make("candidates", ["text", "text"], candidatesQuery({ ...place, narrowing: null })),
    narrow: make(
      "narrow",
      ["text", "text", "text", "text", "text", "float8", "float8"],
      candidatesQuery({ ...place, narrowing: { ...facts, ...amounts } }),
    ),
  };
};

type Routines = ReturnType<typeof makeAll>;

let made: Routines | null = null;

/** Returns the queries that build documents, one for each kind. */
export const routines = (): Routines => (made ??= makeAll());
