import { InvalidFieldError } from "../errors.ts";

/**
 * Makes sure that a value which never changes was sent unchanged, if it was sent.
 *
 * @throws {InvalidFieldError} when another value was sent
 */
export const requireSame = <Value>(field: string, value: Value, sent: Value | undefined): void => {
  if (sent !== undefined && sent !== value) throw new InvalidFieldError([field, "cannot be changed"]);
};
