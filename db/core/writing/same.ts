import { InvalidFieldError } from "../errors.ts";

/**
 * Makes sure that a value which never changes was sent as it is, if it was sent.
 *
 * @throws {InvalidFieldError} when it was sent as something else
 */
export const requireSame = <Value>(field: string, value: Value, sent: Value | undefined): void => {
  if (sent !== undefined && sent !== value) throw new InvalidFieldError([field, "cannot be changed"]);
};
