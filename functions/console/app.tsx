import { render, type FunctionComponent, type JSX } from "preact";
import { LocationProvider, Route, Router, useLocation } from "preact-iso/router";
import { useEffect, useState } from "preact/hooks";
import { keptToken, session, signOut, type Session } from "./api/session.ts";
import { isReadable } from "./core/filters.ts";
import { useStore } from "./core/store.ts";
import { Shell } from "./frame/shell.tsx";
import { useIdle } from "./frame/idle.ts";
import { Resume } from "./frame/resume.tsx";
import { Shortcuts, useShortcuts } from "./frame/shortcuts.tsx";
import { SignIn, SignInForm } from "./frame/sign-in.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { keepFocus } from "./parts/moving/focus.ts";
import { Page } from "./parts/page.tsx";
import { notePlaces } from "./parts/moving/place.ts";
import { clearToasts, Toasts } from "./parts/toasts.tsx";
import { askToLeave, guardLeaving } from "./parts/moving/unsaved.ts";
import { screensOf } from "./screens/screens.ts";

const Unknown: FunctionComponent = () => (
  <Page title="There is nothing here">
    <p>This address leads nowhere, or to something that your token may not see.</p>
    <p>
      <a href="/console">Go to the overview</a>
    </p>
  </Page>
);

/** Asks somebody who has done nothing for long whether they are still there. */
const StillThere = ({ stay }: { stay: () => void }): JSX.Element => (
  <Dialog title="Are you still there?" onClose={stay}>
    <div class="stack">
      <p>Nothing has happened for 29 minutes. In a minute, you will need to sign in again; this page stays as it is.</p>
      <div class="actions">
        <button type="button" class="button" onClick={() => askToLeave() && signOut()}>
          Sign out
        </button>
        <button type="button" class="button main-action" onClick={stay}>
          Stay signed in
        </button>
      </div>
    </div>
  </Dialog>
);

/** Asks for the token again, and then continues with the page behind the question. */
const SignInAgain = ({ isForgotten }: { isForgotten: boolean }): JSX.Element => (
  <Dialog title="Sign in again" onClose={() => signOut()} mayLeave={false}>
    <div class="stack">
      <p>
        {isForgotten
          ? "Your token was forgotten, because nothing happened for 30 minutes. Sign in to carry on where you left off."
          : "The service no longer accepts your token: it has ended, or was rotated. Sign in with a valid one to carry on where you left off."}
      </p>
      <SignInForm again />
      <button type="button" class="button" onClick={() => askToLeave() && signOut()}>
        Sign out instead
      </button>
    </div>
  </Dialog>
);

const Signed = ({ now: { who, token, isOver } }: { now: Session }): JSX.Element => {
  const [isHelping, setHelping] = useState(false);
  const help = () => setHelping(true);
  const { isWarned, stay } = useIdle();
  useShortcuts(who, help);
  const { path: here } = useLocation();
  return (
    <Shell who={who} onHelp={help}>
      {isReadable(here) ? (
        <Router>
          {screensOf(who).map(({ path, screen }) => (
            <Route key={path} path={path} component={screen} />
          ))}
          <Route default component={Unknown} />
        </Router>
      ) : (
        <Unknown />
      )}
      {isHelping && <Shortcuts who={who} onClose={() => setHelping(false)} />}
      {isWarned && !isOver && <StillThere stay={stay} />}
      {isOver && <SignInAgain isForgotten={token === null} />}
    </Shell>
  );
};

/** Shows the console to whoever is signed in, and otherwise signs in with a kept token, or asks for one. */
const App = (): JSX.Element => {
  const now = useStore(session);
  const [kept, setKept] = useState(keptToken);
  useEffect(() => {
    if (now === null) clearToasts();
  }, [now === null]);
  return (
    <>
      {now === null && (kept === null ? <SignIn /> : <Resume token={kept} onOver={() => setKept(null)} />)}
      {now !== null && (
        <LocationProvider scope="/console">
          <Signed key={`${now.who.kind} ${now.who.id}`} now={now} />
        </LocationProvider>
      )}
      <Toasts />
    </>
  );
};

const place = document.getElementById("app");
if (place) {
  guardLeaving();
  keepFocus();
  notePlaces();
  render(<App />, place);
}
