import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { readHealth, type Health as Found } from "../../api/health.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { count, NOTHING, words } from "../../core/format.ts";
import { isCronLate, PUBLISHING_LATE_S } from "../../core/late.ts";
import { Badge, Time } from "../../parts/bits.tsx";
import { Watched } from "./watched.tsx";

const AGAIN_MS = 30_000;

const Delay = ({ seconds }: { seconds: number | null | undefined }): JSX.Element => {
  if (seconds === null || seconds === undefined) return <>{NOTHING}</>;
  if (seconds === 0) return <Badge tone="good">Nothing is waiting</Badge>;
  return (
    <>
      <Badge tone={seconds > PUBLISHING_LATE_S ? "bad" : "warn"}>Waiting</Badge> oldest change: {count(seconds)} seconds
    </>
  );
};

const Cron = ({ at }: { at: string | null | undefined }): JSX.Element => {
  if (!at) return <>Never</>;
  return (
    <>
      <Time at={at} /> {isCronLate(at, Date.now()) && <Badge tone="bad">Late</Badge>}
    </>
  );
};

const Facts = ({ of }: { of: Found }): JSX.Element => (
  <dl class="facts">
    <dt>Service</dt>
    <dd>
      <Badge tone={of.status === "ok" ? "good" : "bad"}>
        {of.status === "ok" ? "Healthy" : "Something is failing"}
      </Badge>
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
        <dt>Wrong settings</dt>
        <dd>{of.settings.join(", ")}</dd>
      </>
    )}
    <dt>Publishing changes</dt>
    <dd>
      <Delay seconds={of.outboxAgeSeconds} />
    </dd>
    <dt>Dead letters</dt>
    <dd>{count(of.deadLetters)}</dd>
    <dt>Cron last ran</dt>
    <dd>
      <Cron at={of.cronLastRunAt} />
    </dd>
  </dl>
);

/** Shows the health of the service, updated each half minute. */
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
    <Watched title="Health" isKnown={found !== null} lines={6} error={error} again={again}>
      {found && <Facts of={found} />}
    </Watched>
  );
};
