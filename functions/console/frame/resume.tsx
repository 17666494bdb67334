import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { beginSession, signOut } from "../api/session.ts";
import { useRead } from "../api/use.ts";
import { focusNextPage } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { Gate } from "./gate.tsx";

/**
 * Signs in with the token that was kept for this tab. One that has ended is forgotten; one that could not be checked
 * may be valid when the service is back, so it is kept, and tried again.
 */
export const Resume = ({ token, onOver }: { token: string; onOver: () => void }): JSX.Element => {
  const { data, error, reload } = useRead("getMe", { token });
  const leave = (why?: string): void => {
    signOut(why);
    onOver();
  };
  useEffect(() => {
    if (data) {
      beginSession(token, data, true);
      onOver();
    } else if (error?.status === 401) leave("Your session has ended. Sign in again.");
    else if (error) focusNextPage();
  }, [data, error]);
  if (!error || error.status === 401) {
    return (
      <Gate>
        <p role="status">Signing in …</p>
      </Gate>
    );
  }
  return (
    <Gate>
      <p class="note warn" role="status">
        {error.code === "UNREACHABLE" ? "The service cannot be reached." : "The service does not answer as it should."}{" "}
        You are still signed in.
      </p>
      <ProblemNote of={error} retry={reload} />
      <button type="button" class="button" onClick={() => leave()}>
        Sign out
      </button>
    </Gate>
  );
};
