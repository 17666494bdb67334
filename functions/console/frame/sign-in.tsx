import { LanyapError } from "#client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client.ts";
import type { Problem } from "../api/problem.ts";
import { beginSession, farewell, session } from "../api/session.ts";
import { useWrite } from "../api/use.ts";
import { useStore } from "../core/store.ts";
import { Button } from "../parts/button.tsx";
import { Check, Text } from "../parts/fields/field.tsx";
import { focusNextPage } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { Gate } from "./gate.tsx";

/**
 * Asks the API whose token this is, and begins a session.
 *
 * @throws {LanyapError} when the service does not know the token
 */
export const signIn = async (token: string, isKept: boolean): Promise<void> => {
  // Any other text cannot be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new LanyapError(
      "UNAUTHORIZED",
      "This is not a token: it has spaces, line breaks or characters that tokens never have.",
    );
  }
  const { data } = await api.getMe({ token });
  beginSession(token, data, isKept);
};

const advice = (found: Problem): Problem =>
  found.status === 401
    ? new LanyapError(
        found.code,
        "The service does not know this token, or it has ended. Public keys cannot sign in.",
        {
          requestId: found.requestId,
        },
      )
    : found;

type Demo = readonly { name: string; token: string }[];

/** Reads the demo's tokens, which exist only with `npm start`, on this machine. */
const useDemo = (): Demo => {
  const [demo, setDemo] = useState<Demo>([]);
  useEffect(() => {
    if (!/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(location.hostname)) return;
    fetch("/console/demo.json", { credentials: "omit" })
      .then(async (response) => (response.ok ? setDemo((await response.json()) as Demo) : undefined))
      .catch(() => undefined);
  }, []);
  return demo;
};

/** Asks for a token. `again` is for somebody whose session has ended in the middle of work. */
export const SignInForm = ({ again = false }: { again?: boolean }): JSX.Element => {
  const [token, setToken] = useState("");
  // Who signs in again has said already whether to stay signed in.
  const [isKept, setKept] = useState(session.get()?.isKept ?? false);
  const { run, isBusy, error } = useWrite();
  const demo = useDemo();
  const enter = (given: string) => void run(() => signIn(given.trim(), isKept));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== "") enter(token);
      }}
    >
      <Text
        label="Token"
        type="password"
        value={token}
        onChange={setToken}
        autoFocus
        isRequired
        hint="A publisher’s private token, a platform’s token or the administrator’s"
      />
      <Check
        label="Keep me signed in while this tab is open"
        hint="Otherwise you are asked again after a reload. The token is never stored beyond this tab."
        checked={isKept}
        onChange={setKept}
      />
      {error && <ProblemNote of={advice(error)} />}
      <Button type="submit" look="main-action" isOff={isBusy}>
        {isBusy ? "Signing in …" : "Sign in"}
      </Button>
      {demo.length > 0 && !again && (
        <div class="stack tight">
          <p class="muted small">This is the demo on your own machine. Its tokens are no secret:</p>
          <div class="row">
            {demo.map(({ name, token: known }) => (
              <Button key={name} look="little" isOff={isBusy} onPress={() => enter(known)}>
                {name}
              </Button>
            ))}
          </div>
        </div>
      )}
    </form>
  );
};

/** Shows the page on which somebody signs in. */
export const SignIn = (): JSX.Element => {
  const why = useStore(farewell);
  useEffect(() => {
    document.title = "Sign in · Lanyap console";
    // A browser obeys `autofocus` once, but this page comes again after signing out.
    document.querySelector<HTMLElement>(".gate input")?.focus();
    return focusNextPage;
  }, []);
  return (
    <Gate>
      {why && (
        <p class="note warn" role="status">
          {why}
        </p>
      )}
      <SignInForm />
    </Gate>
  );
};
