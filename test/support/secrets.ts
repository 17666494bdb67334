/** Holds the Worker's secrets in tests. */
export const SECRETS = {
  ADMIN_TOKEN: "test-admin-token",
  TOKEN_ENCRYPTION_KEY: "test:a-test-only-secret-of-thirty-two-characters",
  TRACKING_KEYS: "t1:a-test-only-tracking-secret",
  SESSION_KEY: "a-test-only-session-secret",
};
