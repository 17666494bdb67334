import type { ErrorCode } from "../../http/errors.ts";

// The package has a file in place of this one, made from the description.

/** Names why the service refused a call. */
export type ServiceCode = ErrorCode;

/** Maps error codes to the type of their `details`. */
export type ErrorDetails = Record<ServiceCode, unknown>;
