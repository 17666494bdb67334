import { api } from "./client.ts";
import { asProblem } from "./problem.ts";
import { beginSession, session } from "./session.ts";

/**
 * Continues with another token of whoever is signed in, when the service no longer accepts the one they signed in with.
 */
export const goOnWith = async (token: string): Promise<void> => {
  const now = session.get();
  if (now === null || now.token === null) return;
  try {
    await api.getMe({ token: now.token });
  } catch (error) {
    if (asProblem(error).status === 401) beginSession(token, now.who, now.isKept);
  }
};
