/** Returns a function that makes a value at its first call and returns the same value at every later one. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
