import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use.ts";
import { Choose } from "../../blocks/choose.tsx";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/fields/field.tsx";
import { Card, focusCard, Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { askToLeave, useUnsaved } from "../../parts/moving/unsaved.ts";
import { ChooseRows, fitOf, type Chosen } from "./choose-rows.tsx";
import { OutcomeCard } from "./outcome.tsx";
import type { Source } from "./source.ts";
import { Sure } from "./sure.tsx";
import type { How, Outcome } from "./told.ts";

const CRUMBS = [{ href: "/console/offers", text: "Offers" }];

/** Allows the time that writing a thousand rows takes. */
const TIMEOUT_MS = 90_000;

/** Sends rows, as a trial or for good. Sent again after a lost answer, they are imported once: `api` keeps the key. */
const send = async (source: Source, how: How, isDone: boolean, signal?: AbortSignal): Promise<Outcome> => {
  const { isAtomic, isCopy, copyTo } = how;
  const { data, headers } = await api.importOffers(source.text, {
    contentType: source.form,
    timeoutMs: TIMEOUT_MS,
    signal,
    ...(isAtomic && { atomic: true }),
    ...(isCopy && { copyTo }),
    ...(!isDone && { dryRun: true }),
  });
  return { source, how, isDone, isReplayed: headers.get("idempotent-replayed") === "true", data };
};

const HowFields = ({ how, onChange }: { how: How; onChange: (change: Partial<How>) => void }): JSX.Element => (
  <div class="fields">
    <Select
      label="When a row is refused"
      value={how.isAtomic ? "none" : "others"}
      onChange={(value) => onChange({ isAtomic: value === "none" })}
      choices={[
        ["none", "Take none of the rows"],
        ["others", "Take the others"],
      ]}
    />
    <Select
      label="Whose offers they are"
      value={how.isCopy ? "one" : "each"}
      onChange={(value) => onChange({ isCopy: value === "one" })}
      choices={[
        ["each", "As each row says"],
        ["one", "All new, of one advertiser"],
      ]}
      hint={
        how.isCopy
          ? "Whatever ids and advertisers the rows name"
          : "A row with an id changes that offer; one without creates a new one"
      }
    />
    {how.isCopy && <Choose what="advertiser" value={how.copyTo} onChange={(copyTo) => onChange({ copyTo })} />}
  </div>
);

/** Imports offers from a file or a text: first as a trial, then for good. */
export const Import = (): JSX.Element => {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [how, setHow] = useState<How>({ isAtomic: true, isCopy: false, copyTo: "" });
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  // After a lost answer, nobody knows whether rows were imported until they are sent again.
  const [isUnknown, setUnknown] = useState(false);
  const { run, isBusy, error, clear } = useWrite();
  const place = useRef<HTMLDivElement>(null);
  const nr = useRef(0);
  const trying = useRef(new AbortController());
  const source = fitOf(chosen);
  useUnsaved(isUnknown || (chosen !== null && chosen.pasted !== "" && !outcome?.isDone));
  const show = (next: Outcome): void => {
    // Each outcome is rendered afresh: what was chosen to be shown of another may not be there.
    nr.current += 1;
    setOutcome(next);
    setUnknown(false);
    requestAnimationFrame(() => place.current?.firstElementChild && focusCard(place.current.firstElementChild));
  };
  /** Forgets a trial, finished or not: it says nothing about other rows, or other ways to import them. */
  const begin = (): AbortSignal => {
    trying.current.abort();
    trying.current = new AbortController();
    setOutcome(null);
    setUnknown(false);
    clear();
    return trying.current.signal;
  };
  const restart = (): void => {
    if (!askToLeave()) return;
    begin();
    setChosen(null);
  };
  const attempt = async (rows: Source): Promise<void> => {
    const signal = begin();
    const tried = await run(() => send(rows, how, false, signal));
    if (tried && !signal.aborted) show(tried);
  };
  const isReady = source !== null && (!how.isCopy || how.copyTo !== "");
  return (
    <Page title="Import offers" crumbs={CRUMBS}>
      <Card title="What to import">
        {isUnknown ? (
          <div class="note warn stack tight">
            <p>
              It is not known whether the rows of <strong dir="auto">{chosen?.name}</strong> were taken, because no
              answer came. Send the same again: nothing is done twice.
            </p>
            <div class="row">
              <button type="button" class="button little" onClick={restart}>
                Discard it and start over
              </button>
            </div>
          </div>
        ) : (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (source && isReady && !isBusy) void attempt(source);
            }}
          >
            <ChooseRows
              chosen={chosen}
              onChoice={(next) => {
                begin();
                setChosen(next);
              }}
            />
            <HowFields
              how={how}
              onChange={(change) => {
                begin();
                setHow((now) => ({ ...now, ...change }));
              }}
            />
            {error && <ProblemNote of={error} />}
            <div class="actions">
              <Button type="submit" look="main-action" isOff={!isReady || isBusy}>
                {isBusy ? "Trying …" : "Try it first"}
              </Button>
            </div>
          </form>
        )}
      </Card>
      <div class="stack" ref={place}>
        {outcome && (
          <OutcomeCard key={nr.current} of={outcome} isUnknown={isUnknown} onImport={() => setAsking(true)} />
        )}
      </div>
      {outcome && isAsking && (
        <Sure
          of={outcome}
          send={() => send(outcome.source, outcome.how, true)}
          onUnknown={() => setUnknown(true)}
          onDone={(next) => {
            setAsking(false);
            // The same rows would make the same offers again.
            if (next.data.created + next.data.updated > 0) setChosen(null);
            show(next);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
};
