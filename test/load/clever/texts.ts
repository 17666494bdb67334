import * as z from "zod";
import { toBase64Url, toHex } from "../../../db/core/encoding.ts";
import { makeId, newId } from "../../../db/core/ids.ts";
import { isKey, makeKey } from "../../../db/core/secrets/secrets.ts";
import { CURRENCIES } from "../../../db/schema/values.ts";
import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { keyedHash } from "../../../functions/core/keyed-hash.ts";
import { remembering } from "../../../functions/core/calls/remember.ts";
import { parametersOf } from "../../../functions/http/input/parameters.ts";
import {
  hash32Naively,
  keyedHashNaively,
  mix32Naively,
  newIdNaively,
  parametersNaively,
  toBase64UrlNaively,
  toHexNaively,
} from "../../support/naive/texts.ts";
import type { Case } from "./cases.ts";

const SECRET = "a-secret-of-the-bench-only";
const digest = Uint8Array.from({ length: 32 }, (_, i) => (i * 89) & 255);
const half = digest.subarray(0, 16);

const KEYS = Array.from({ length: 64 }, (_, i) => makeKey("public", new Uint8Array(32).fill(i)));
const keyOf = (n: number): string => KEYS[n & 63] ?? "";
/** Copies a text, since each request brings new texts, whose hashes the engine has not cached yet. */
const fresh = (text: string): string => `?${text}`.slice(1);
const isKnownKey = remembering(1_000, (key) => isKey("public", key));

const schema = z
  .string()
  .refine((value) => /^[A-Za-z]+$/.test(value) && CURRENCIES.includes(value.toUpperCase()))
  .toUpperCase();
const readCurrency = (text: string) => schema.safeParse(text).data;
const currency = remembering(500, (text) => readCurrency(text) ?? "");

const PLACEMENTS = Array.from({ length: 64 }, (_, i) => `plc_${String(i).padStart(26, "0")}`);
const placementOf = (n: number): string => PLACEMENTS[n & 63] ?? "";

const url = (n: number): string =>
  `https://offers.example/api/odata?placementId=${placementOf(n)}&sessionId=session-${n}&at.orderid=${n}` +
  `&at.country=US&at.language=en&at.amount=79.9&at.currency=USD&count=4&publicKey=${keyOf(n)}`;

/** Lists the cases that concern single texts. */
export const textCases: readonly Case[] = [
  {
    module: "core/calls/remember.ts",
    what: "checks a public key",
    calls: 1,
    fast: (n) => isKnownKey(fresh(keyOf(n))),
    plain: (n) => isKey("public", fresh(keyOf(n))),
  },
  {
    module: "core/calls/remember.ts",
    what: "reads a currency by its schema",
    calls: 5,
    fast: (n) => currency(fresh(CURRENCIES[n % CURRENCIES.length] ?? "")),
    plain: (n) => readCurrency(fresh(CURRENCIES[n % CURRENCIES.length] ?? "")),
  },
  {
    module: "core/keyed-hash.ts",
    what: "signs a seal of 110 characters",
    calls: 2,
    fast: (n) => keyedHash(SECRET, url(n).slice(0, 110)),
    plain: (n) => keyedHashNaively(SECRET, url(n).slice(0, 110)),
  },
  {
    module: "core/hash.ts",
    what: "hashes a session id",
    calls: 1,
    fast: (n) => hash32(`session-${n}`),
    plain: (n) => hash32Naively(`session-${n}`),
  },
  {
    module: "core/hash.ts",
    what: "mixes two hashes",
    calls: 40,
    fast: (n) => mix32(n, 7),
    plain: (n) => mix32Naively(n, 7),
  },
  {
    module: "db/core/ids.ts",
    what: "makes an id",
    calls: 2,
    fast: (n) => newId("decision", n),
    plain: (n) => newIdNaively("decision", n),
  },
  {
    module: "db/core/ids.ts",
    what: "makes an id, random bytes for each",
    calls: 2,
    fast: (n) => newId("decision", n),
    plain: (n) => makeId("decision", n, crypto.getRandomValues(new Uint8Array(10))),
  },
  {
    module: "db/core/encoding.ts",
    what: "writes 16 bytes in base64url",
    calls: 2,
    fast: () => toBase64Url(half),
    plain: () => toBase64UrlNaively(half),
  },
  {
    module: "db/core/encoding.ts",
    what: "writes 32 bytes in hex",
    calls: 0,
    fast: () => toHex(digest),
    plain: () => toHexNaively(digest),
  },
  {
    module: "http/input/parameters.ts",
    what: "reads ten parameters",
    calls: 1,
    fast: (n) => parametersOf(url(n)),
    plain: (n) => parametersNaively(url(n)),
  },
];
