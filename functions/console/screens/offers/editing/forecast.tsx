import type { Forecast, ForecastOfferBody, Range } from "#client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, READING } from "../../../api/client.ts";
import { asProblem, linesOf, type Problem } from "../../../api/problem.ts";
import { count, dollars, percent } from "../../../core/format.ts";
import { Bones } from "../../../parts/bits.tsx";
import { Card } from "../../../parts/page.tsx";

const PAUSE_MS = 700;

const Line = ({ text, range, write }: { text: string; range: Range | null; write: (value: number) => string }) => (
  <>
    <dt>{text}</dt>
    <dd>
      {range ? (
        <>
          <strong>{write(range.expected)}</strong>
          <span class="under">
            {write(range.low)} to {write(range.high)}
          </span>
        </>
      ) : (
        <span class="muted">Not known yet</span>
      )}
    </dd>
  </>
);

/** Shows which of last week's requests an offer would have been for, while its fields are set. */
export const ForecastCard = ({ body }: { body: Record<string, unknown> }): JSX.Element => {
  const [found, setFound] = useState<Forecast | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isLoading, setLoading] = useState(true);
  const key = JSON.stringify(body);
  const { lead, texts } = linesOf(problem ?? { message: "", details: null });
  const isReady = Boolean(body["advertiserId"]) && typeof body["bidMicros"] === "number" && body["bidMicros"] > 0;
  useEffect(() => {
    if (!isReady) return undefined;
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      setLoading(true);
      try {
        const { data } = await api.forecastOffer(body as ForecastOfferBody, { ...READING, signal: over.signal });
        setFound(data);
        setProblem(null);
      } catch (error) {
        if (!over.signal.aborted) setProblem(asProblem(error));
      }
      if (!over.signal.aborted) setLoading(false);
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [key, isReady]);
  return (
    <Card title="Forecast from last week">
      {!isReady && <p class="muted">Choose an advertiser and a bid to see whom this offer would have reached.</p>}
      {isReady && !found && !problem && <Bones lines={4} />}
      {isReady && problem && (
        <p class="note warn">
          No forecast for now: {lead} {texts.join("; ")}
        </p>
      )}
      {isReady && found && !problem && (
        <div class={isLoading ? "stack is-loading" : "stack"} aria-busy={isLoading}>
          <dl class="facts">
            <Line text="Share of requests" range={found.share} write={percent} />
            <Line text="Matching requests" range={found.admitted} write={count} />
            <dt>Placements reached</dt>
            <dd>
              <strong>{count(found.placements)}</strong> <span class="muted">at least</span>
            </dd>
            <Line text="Impressions" range={found.shown} write={count} />
            <Line text="Cost" range={found.cost} write={dollars} />
          </dl>
          <p class="muted small">{found.summary}</p>
        </div>
      )}
    </Card>
  );
};
