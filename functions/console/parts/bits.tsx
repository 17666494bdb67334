import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ago, moment, utc, words } from "../core/format.ts";
import { say } from "./toasts.tsx";

/** Says how a state is meant: good, worth a look, bad, or neutral. */
export type Tone = "good" | "warn" | "bad" | "none";

/** Shows a state as a word with a colour. */
export const Badge = ({ tone = "none", children }: { tone?: Tone; children: ComponentChildren }): JSX.Element => (
  <span class={tone === "none" ? "badge" : `badge ${tone}`}>{children}</span>
);

const TONES: Record<string, Tone> = { active: "good", pending: "warn", paused: "warn", inactive: "bad" };

/** Shows the status of a resource, and if its ads are off, that they are. */
export const Status = ({ of, ads = true }: { of: string; ads?: boolean }): JSX.Element => (
  <span class="row tight">
    <Badge tone={TONES[of] ?? "none"}>{words(of)}</Badge>
    {!ads && <Badge tone="bad">Ads off</Badge>}
  </span>
);

/** Shows how long ago a time was, or the full time; pointing at it shows UTC. */
export const Time = ({ at, isFull = false }: { at: string | null; isFull?: boolean }): JSX.Element =>
  at === null ? (
    <span class="muted">Never</span>
  ) : (
    <time dateTime={at} title={`${moment(at)} · ${utc(at)}`}>
      {isFull ? (
        <>
          {moment(at)} <span class="muted small">({utc(at)})</span>
        </>
      ) : (
        ago(at, Date.now())
      )}
    </time>
  );

const REFUSED = "The browser does not let this page copy.";

/**
 * Copies a text, and says so, or that the browser refuses. In a dialog, it says so beside the button, since the dialog
 * hides other messages.
 */
export const Copy = ({
  text,
  what = "Copy",
  isShown = true,
}: {
  text: string;
  what?: string;
  /** Tells that the page shows the text, so that it can be selected there. */
  isShown?: boolean;
}): JSX.Element => {
  const refusal = `${REFUSED} ${isShown ? "Select the text, and copy it yourself." : `Copy it from here: ${text}`}`;
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const copy = async (button: Element): Promise<void> => {
    setRefused(false);
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      if (button.closest("dialog")) setRefused(true);
      else say(refusal);
    }
  };
  return (
    <>
      <button type="button" class="button little" onClick={({ currentTarget }) => void copy(currentTarget)}>
        {isCopied ? "Copied" : what}
      </button>
      {isRefused && (
        <span class="wrong refused" role="alert">
          {refusal}
        </span>
      )}
    </>
  );
};

/** Shows somebody else's text in one line. */
export const Clip = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <span class="clip" dir="auto">
    {children}
  </span>
);

/** Shows an id that can be copied. */
export const Id = ({ id }: { id: string }): JSX.Element => (
  <span class="row tight">
    <code>{id}</code>
    <Copy text={id} />
  </span>
);

/** Shows, in a list of facts, those that every resource has. */
export const IdAndSince = ({ of: { id, createdAt } }: { of: { id: string; createdAt: string } }): JSX.Element => (
  <>
    <dt>Id</dt>
    <dd>
      <Id id={id} />
    </dd>
    <dt>Created</dt>
    <dd>
      <Time at={createdAt} isFull />
    </dd>
  </>
);

/**
 * Shows a secret, which is shown only this once, or a public key, to be copied. It takes the focus, so that it is read
 * out.
 */
export const Secret = ({ value, label }: { value: string; label: string }): JSX.Element => {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="stack tight">
      <div
        class="secret"
        role="group"
        aria-label={label}
        aria-describedby={`${id}-value ${id}-once`}
        tabIndex={-1}
        ref={box}
      >
        <code id={`${id}-value`}>{value}</code>
        <Copy text={value} />
      </div>
      {value.startsWith("lan_pk_") ? (
        <p class="note small" id={`${id}-once`}>
          Anybody may read this: put it into the shop’s pages. You can find it here again at any time.
        </p>
      ) : (
        <p class="note warn small" id={`${id}-once`}>
          This is shown only once. Copy it now, and keep it where only you can read it.
        </p>
      )}
    </div>
  );
};

/** Says what would be here, and how to get it. */
export const Empty = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** Reserves the room of what is being loaded. */
export const Bones = ({ lines = 4 }: { lines?: number }): JSX.Element => (
  <div class="stack" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class="bone" />
    ))}
  </div>
);

/** Shows how much of a limit is used. */
export const Gauge = ({ label, used, of }: { label: string; used: number; of: number }): JSX.Element => {
  const share = of > 0 ? Math.min(1, used / of) : 1;
  const tone = share >= 1 ? "gauge full" : share >= 0.8 ? "gauge near" : "gauge";
  return (
    <div class={tone} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={of} aria-valuenow={used}>
      <div ref={(bar) => bar?.style.setProperty("width", `${share * 100}%`)} />
    </div>
  );
};
