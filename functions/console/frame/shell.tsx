import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { online } from "../api/client.ts";
import { signOut, type Principal } from "../api/session.ts";
import { useStore } from "../core/store.ts";
import { words } from "../core/format.ts";
import { Icon } from "../parts/icon.tsx";
import { askToLeave } from "../parts/moving/unsaved.ts";
import { screensOf, type Screen } from "../screens/screens.ts";

/** Lists the screens that somebody may see and that are in the menu, by their headings. */
export const menuOf = (who: Principal) => {
  const groups = new Map<string, { path: string; text: string; icon: Screen["menu"]; key: string }[]>();
  for (const { path, menu } of screensOf(who)) {
    if (!menu) continue;
    const group = groups.get(menu.group) ?? [];
    groups.set(menu.group, [...group, { path, text: menu.text, icon: menu, key: menu.key }]);
  }
  return [...groups];
};

const KINDS = { admin: "Administrator", platform: "Platform", publisher: "Publisher" } as const;

const Brand = (): JSX.Element => (
  <a class="brand" href="/console">
    <img src="/icons/brand.svg" alt="" width="28" height="28" />
    Lanyap
  </a>
);

const isCurrent = (path: string, here: string): boolean =>
  path === "/console" ? here === path || here === `${path}/` : here === path || here.startsWith(`${path}/`);

const Menu = ({ who, onChoice }: { who: Principal; onChoice: () => void }): JSX.Element => {
  const { path: here } = useLocation();
  return (
    <div>
      {menuOf(who).map(([group, screens]) => (
        <div key={group}>
          {group !== "" && <p class="nav-title">{group}</p>}
          <ul class="nav">
            {screens.map(({ path, text, icon }) => (
              <li key={path}>
                <a href={path} aria-current={isCurrent(path, here) ? "page" : undefined} onClick={onChoice}>
                  {icon && <Icon name={icon.icon} />}
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
};

/** Shows the frame around every screen: the menu, who is signed in, and whether the service can be reached. */
export const Shell = ({
  who,
  onHelp,
  children,
}: {
  who: Principal;
  onHelp: () => void;
  children: ComponentChildren;
}): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const isOnline = useStore(online);
  const { path } = useLocation();
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  const close = (): void => {
    if (!isOpen) return;
    setOpen(false);
    opener.current?.focus();
  };
  // An effect would wait for the next frame, and miss a key pressed before it.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const over = new AbortController();
    const { signal } = over;
    const onKey = ({ key }: KeyboardEvent): void => {
      // A dialog that was opened from the menu closes first, and leads back to it.
      if (key === "Escape" && !document.querySelector("dialog[open]")) close();
    };
    const onKeyUp = ({ key, target }: KeyboardEvent): void => {
      // The new focus would be behind the menu, so that closes. But a page that comes meanwhile takes the focus, too,
      // and closes nothing.
      const isHere = target instanceof Element && target.closest("#menu, [aria-controls=menu], dialog") !== null;
      if (key === "Tab" && !isHere) setOpen(false);
    };
    addEventListener("keydown", onKey, { signal });
    addEventListener("keyup", onKeyUp, { signal });
    return () => over.abort();
  }, [isOpen]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        <button
          type="button"
          class="button plain"
          ref={opener}
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
          Menu
        </button>
      </header>
      {isOpen && <div class="veil" onClick={() => setOpen(false)} />}
      <nav class={isOpen ? "side open" : "side"} id="menu" aria-label="Console">
        <Brand />
        <Menu who={who} onChoice={close} />
        <div class="who">
          <div>
            <strong dir="auto" title={who.name ?? ""}>
              {who.name ?? KINDS[who.kind]}
            </strong>
            <span class="muted small">
              {who.name === null ? "The whole network" : KINDS[who.kind]}
              {who.access === "READ" && " · read-only"}
            </span>
          </div>
          <div class="row">
            <button type="button" class="button little" onClick={() => askToLeave() && signOut()}>
              Sign out
            </button>
            <button type="button" class="button little plain" onClick={onHelp}>
              Shortcuts <kbd>?</kbd>
            </button>
          </div>
        </div>
      </nav>
      <div>
        {!isOnline && (
          <p class="banner" role="alert">
            The service cannot be reached. What you see may be out of date; changes are not possible until it is back.
          </p>
        )}
        <main class="main" id="main" data-kind={words(who.kind)}>
          {children}
        </main>
      </div>
    </div>
  );
};
