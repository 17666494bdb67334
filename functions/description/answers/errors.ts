import * as z from "zod";
import { ERRORS, type ErrorCode, type Shape } from "../../http/errors.ts";
import { named, object, time } from "../schemas/common.ts";

/** Describes a kind of error: its code, the shape of its body, when it comes, and what its details say. */
export type ErrorCase = {
  name: string;
  code: ErrorCode;
  shape: Shape;
  status: number;
  when: string;
  schema: z.ZodType;
};

type Options = { shape?: Shape; details?: z.ZodType };

const shapeOf = (code: ErrorCode, shape: Shape, details: z.ZodType | undefined): z.ZodType => {
  const told = details === undefined ? {} : { details };
  return shape === "A"
    ? object({ error: z.string(), code: z.literal(code), ...told, timestamp: time() })
    : object({ success: z.literal(false), error: object({ code: z.literal(code), message: z.string(), ...told }) });
};

const errorCase = (name: string, code: ErrorCode, when: string, { shape, details }: Options = {}): ErrorCase => {
  const { status, shape: usual } = ERRORS[code];
  const own = shape ?? usual;
  return { name, code, shape: own, status, when, schema: named(`${name}Error`, shapeOf(code, own, details)) };
};

const problems = () => z.array(z.string());
// A long list is cut, and ends with a text that says how many more there are.
const invalidFields = () => z.array(z.union([object({ field: z.string(), message: z.string() }), z.string()]));

/** Lists every kind of error that an operation may answer. */
export const CASES = {
  invalid: errorCase("Invalid", "VALIDATION_FAILED", "the body or the parameters break a rule", {
    details: problems(),
  }),
  invalidParameters: errorCase("InvalidParameters", "VALIDATION_FAILED", "parameters are missing or break a rule", {
    shape: "B",
    details: object({ missingFields: problems(), invalidFields: invalidFields().optional() }),
  }),
  invalidFields: errorCase("InvalidFields", "VALIDATION_FAILED", "fields are missing or break a rule", {
    shape: "B",
    details: object({ invalidFields: invalidFields() }).optional(),
  }),
  invalidTrackingToken: errorCase(
    "InvalidTrackingToken",
    "VALIDATION_FAILED",
    "the token of the URL is missing, invalid or expired",
    // Errors of pages are wrapped, whatever their code.
    { shape: "B" },
  ),
  disallowed: errorCase("DisallowedValue", "INVALID_FIELD_VALUE", "a member has a value that is not allowed", {
    details: object({ field: z.string(), value: z.unknown(), expectedType: z.string() }),
  }),
  invalidToken: errorCase("InvalidToken", "INVALID_TOKEN", "there is no valid platform token"),
  unauthorized: errorCase("Unauthorized", "UNAUTHORIZED", "there is no valid credential"),
  readOnly: errorCase("Forbidden", "FORBIDDEN", "the credential may not do this"),
  activePlacements: errorCase("ActivePlacements", "FORBIDDEN", "placements are active", {
    details: object({ activePlacements: z.int().min(1) }),
  }),
  missing: errorCase("Missing", "RESOURCE_NOT_FOUND", "nothing that the caller may know of has this id", {
    details: object({ resourceType: z.string(), id: z.string() }),
  }),
  unknownPlacement: errorCase("UnknownPlacement", "NOT_FOUND", "no placement of the caller has this id", {
    details: object({ placementId: z.string() }),
  }),
  unknownClick: errorCase("UnknownClick", "NOT_FOUND", "no click can have this id", {
    details: object({ clickId: z.string() }),
  }),
  unknownTransaction: errorCase("UnknownTransaction", "NOT_FOUND", "nobody reported this transaction", {
    details: object({ transactionId: z.string() }),
  }),
  unknownRejects: errorCase("UnknownRejects", "NOT_FOUND", "some of these ids are unknown", {
    details: object({ ids: problems() }),
  }),
  goneOffer: errorCase("GoneOffer", "NOT_FOUND", "the offer no longer exists"),
  nameTaken: errorCase("NameTaken", "RESOURCE_CONFLICT", "another of its kind has this name", {
    details: object({ resourceType: z.string(), field: z.string(), value: z.string() }),
  }),
  conflict: errorCase("Conflict", "CONFLICT", "the request contradicts what is stored"),
  otherReport: errorCase("OtherReport", "CONFLICT", "the transaction was reported with other values", {
    details: object({ transactionId: z.string(), changed: problems() }),
  }),
  clickExpired: errorCase("ClickExpired", "CLICK_EXPIRED", "the click was more than 30 days ago"),
  stale: errorCase("Stale", "PRECONDITION_FAILED", "it has changed since it was read", {
    details: object({ etag: z.string() }),
  }),
  keyReused: errorCase("KeyReused", "IDEMPOTENCY_KEY_REUSED", "the `Idempotency-Key` was used for another request"),
  tooLarge: errorCase("TooLarge", "PAYLOAD_TOO_LARGE", "the body is too large"),
  unsupportedType: errorCase("UnsupportedType", "UNSUPPORTED_MEDIA_TYPE", "the body has a type that is not supported"),
  otherType: errorCase("OtherType", "UNSUPPORTED_MEDIA_TYPE", "the body is neither JSON nor a form"),
  tooMany: errorCase("TooManyCalls", "RATE_LIMIT_EXCEEDED", "too many changes within a minute", {
    details: object({ retryAfter: z.int().min(1) }),
  }),
  failure: errorCase("Failure", "INTERNAL_SERVER_ERROR", "something failed; the answer does not say why"),
  unavailable: errorCase(
    "Unavailable",
    "SERVICE_UNAVAILABLE",
    "the database cannot be reached, or the service is not set up",
  ),
} as const satisfies Record<string, ErrorCase>;

export type ErrorName = keyof typeof CASES;
