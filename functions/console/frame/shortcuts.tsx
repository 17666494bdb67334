import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useEffect } from "preact/hooks";
import type { Principal } from "../api/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { askToLeave } from "../parts/moving/unsaved.ts";
import { menuOf } from "./shell.tsx";

const PAUSE_MS = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), select, textarea"));

/** Listens for the keys that go to a screen (`g`, then its letter), to the search (`/`) and to the list of keys (`?`). */
export const useShortcuts = (who: Principal, onHelp: () => void): void => {
  const { route } = useLocation();
  useEffect(() => {
    let since = 0;
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const target = menuOf(who)
        .flatMap(([, screens]) => screens)
        .find(({ key }) => key === event.key);
      if (Date.now() - since < PAUSE_MS && target) {
        since = 0;
        if (askToLeave()) route(target.path);
      } else if (event.key === "g") since = Date.now();
      else if (event.key === "?") onHelp();
      else if (event.key === "/") {
        event.preventDefault();
        document.querySelector<HTMLInputElement>("[data-search]")?.focus();
      }
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [who.kind, who.access, route]);
};

/** Lists the keys. */
export const Shortcuts = ({ who, onClose }: { who: Principal; onClose: () => void }): JSX.Element => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <div class="stack">
      <dl class="keys">
        {menuOf(who)
          .flatMap(([, screens]) => screens)
          .map(({ path, text, key }) => (
            <>
              <dt key={`${path}-key`}>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd key={path}>{text}</dd>
            </>
          ))}
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close what is open</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
      </dl>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  </Dialog>
);
