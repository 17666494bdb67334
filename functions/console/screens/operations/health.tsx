import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { readHealth, type Health as Found } from "../../api/health.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { count, NOTHING, words } from "../../core/format.ts";
import { Badge, Bones, Time } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

const LATE_S = 120;
const LATE_MS = 15 * 60_000;
const AGAIN_MS = 30_000;

const Delay = ({ seconds }: { seconds: number | null | undefined }): JSX.Element => {
  if (seconds === null || seconds === undefined) return <>{NOTHING}</>;
  if (seconds === 0) return <Badge tone="good">Nothing waits</Badge>;
  return (
    <>
      <Badge tone={seconds > LATE_S ? "bad" : "warn"}>Waits</Badge> the oldest change for {count(seconds)} seconds
    </>
  );
};

const Cron = ({ at }: { at: string | null | undefined }): JSX.Element => {
  if (!at) return <>Never</>;
  const isLate = Date.now() - Date.parse(at) > LATE_MS;
  return (
    <>
      <Time at={at} /> {isLate && <Badge tone="bad">Late</Badge>}
    </>
  );
};

const Facts = ({ of }: { of: Found }): JSX.Element => (
  <dl class="facts">
    <dt>Service</dt>
    <dd>
      <Badge tone={of.status === "ok" ? "good" : "bad"}>{of.status === "ok" ? "Well" : "Something fails"}</Badge>
    </dd>
    {Object.entries(of.checks ?? {}).map(([name, state]) => (
      <>
        <dt key={`${name}-name`}>{name === "kv" ? "KV" : words(name)}</dt>
        <dd key={name}>
          <Badge tone={state === "ok" ? "good" : "bad"}>{state === "ok" ? "Answers" : "Does not answer"}</Badge>
        </dd>
      </>
    ))}
    {of.settings && (
      <>
        <dt>Settings that are wrong</dt>
        <dd>{of.settings.join(", ")}</dd>
      </>
    )}
    <dt>Publishing of changes</dt>
    <dd>
      <Delay seconds={of.outboxAgeSeconds} />
    </dd>
    <dt>Dead letters</dt>
    <dd>{count(of.deadLetters)}</dd>
    <dt>Cron ran last</dt>
    <dd>
      <Cron at={of.cronLastRunAt} />
    </dd>
  </dl>
);

/** Shows how the service is, again each half minute. */
export const Health = (): JSX.Element => {
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((n) => n + 1);
  useEffect(() => {
    const over = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const health = await readHealth(over.signal);
        setFound(health);
        setError(null);
      } catch (thrown) {
        if (!over.signal.aborted) setError(asProblem(thrown));
      }
    };
    void look();
    const timer = setTimeout(again, AGAIN_MS);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [turn]);
  return (
    <Card
      title="Health"
      actions={
        <button type="button" class="button little" onClick={again}>
          Look again
        </button>
      }
    >
      <div class="stack">
        {error && <ProblemNote of={error} retry={again} />}
        {!found && !error && <Bones lines={6} />}
        {found && <Facts of={found} />}
      </div>
    </Card>
  );
};
