/** Holds the Worker's secrets in tests. */
export const SECRETS = {
  ADMIN_TOKEN: "a-test-only-administrator-token-of-some-length",
  TOKEN_ENCRYPTION_KEY: "test:a-test-only-secret-of-thirty-two-characters",
  TRACKING_KEYS: "t1:a-test-only-tracking-secret-of-some-length",
  SESSION_KEY: "a-test-only-session-secret-of-some-length",
};

/** Holds a value for each of the Worker's settings. Nothing answers at the address of its database. */
export const SETTINGS = {
  ...SECRETS,
  DATABASE_URL: "postgres://user:password@127.0.0.1:9/database",
  PUBLIC_URL: "",
  PARTNER_ZONE_URL: "",
  DOCUMENT_FRESH_MS: "0",
  WRITES_PER_MINUTE: "600",
};
