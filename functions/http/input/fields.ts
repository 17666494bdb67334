import * as z from "zod";
import { DAY_SECONDS } from "../../../db/core/time.ts";
import { EMAIL } from "./email.ts";

const MAX_TEXT = 255;
const MAX_LONG_TEXT = 2_000;

const typed = (expected: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? "is required" : `must be ${expected}`;

/**
 * Checks a text of `min` to `max` characters after trimming, which Postgres can hold: no NUL, no lone surrogate.
 *
 * @param tooLong the message for a longer text
 */
export const text = (max = MAX_TEXT, min = 1, tooLong = `must have at most ${max} characters`) =>
  z
    .string({ error: typed("a string") })
    .trim()
    .min(min, "must not be empty")
    .max(max, tooLong)
    .refine((value) => value.isWellFormed() && !value.includes("\0"), "must not contain NUL or unpaired surrogates");

/** Checks a text that may have several lines, such as a description or a reason. */
export const longText = (min = 1) => text(MAX_LONG_TEXT, min);

export const email = () => text().pipe(z.email({ pattern: EMAIL, error: "must be a valid e-mail address" }));

export const flag = () => z.boolean({ error: typed("a boolean") });

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: typed(`one of ${values.join(", ")}`) });

/** Checks a number that JSON can hold exactly, from `min` on. */
export const number = (min = 0) => z.number({ error: typed("a number") }).min(min, `must be at least ${min}`);

export const integer = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z
    .number({ error: typed("a number") })
    .refine(Number.isInteger, "must be an integer")
    .refine((value) => value >= min, `must be at least ${min}`)
    .refine((value) => value <= max, `must be at most ${max}`);

const inRange = (time: Date): boolean => time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 2999;

/** Checks a time from 1970 to 2999 in UTC. JavaScript cannot read all that Postgres writes of other years and their zones. */
export const moment = () =>
  z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time with its zone", abort: true })
    .transform((value) => new Date(value))
    .refine(inRange, "must be in the years 1970 to 2999 of UTC");

/** Checks a parameter that is a whole number. */
export const wholeParameter = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, "must be an integer")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** Checks the paging parameters that every list has. */
export const page = () => ({
  skip: wholeParameter(0, Number.MAX_SAFE_INTEGER).default(0),
  take: wholeParameter(1, 100).default(50),
});

/** Checks the parameters of a list that has none of its own. */
export const pageQuery = () => z.object(page());

/** Checks a parameter that is `true` or `false`. */
export const flagParameter = () => z.enum(["true", "false"], "must be true or false").optional();

/** Checks the parameter `include`, which adds related data. */
export const include = () => z.enum(["relations"], "must be relations").optional();

/** Admits null, which removes the value, for every member of a change. */
export const clearable = <Shape extends Record<string, z.ZodType>>(members: z.ZodObject<Shape>) =>
  z.object(
    Object.fromEntries(Object.entries(members.shape).map(([name, member]) => [name, member.nullable()])) as {
      [Name in keyof Shape]: z.ZodNullable<Shape[Name]>;
    },
  );

const MAX_OVERLAP_SECONDS = 30 * DAY_SECONDS;

/** Checks the body of a rotation: how long what is rotated stays valid beside its successor. */
export const rotationBody = () => z.object({ overlapSeconds: integer(0, MAX_OVERLAP_SECONDS).default(0) });
