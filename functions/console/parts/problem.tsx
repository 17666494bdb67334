import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { adviceFor, linesOf, mayPass, type Problem } from "../api/problem.ts";
import { Button } from "./button.tsx";

/** Counts down from a number of seconds. */
export const useCountdown = (seconds: number | null): number => {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
};

/** Says why something failed, with the code and the request id, and offers to try again if that may help. */
export const ProblemNote = ({
  of,
  retry,
  meaning,
}: {
  of: Problem;
  retry?: () => void;
  /** Says what the failure means here. */
  meaning?: string | undefined;
}): JSX.Element => {
  const left = useCountdown(of.retryAfter);
  // Trying again ends this note, or fails with another problem.
  const [tried, setTried] = useState<Problem | null>(null);
  const isTrying = tried === of;
  const { code, requestId } = of;
  const { lead, texts } = linesOf(of);
  // What is read can be read again from here; a change is sent again by its own button.
  const advice = adviceFor(of, retry === undefined);
  return (
    <div class="note bad stack tight" role="alert">
      {meaning && <strong>{meaning}</strong>}
      <div>
        {advice !== "" && <strong>{advice} </strong>}
        <span dir="auto">{lead}</span>
        {texts.length > 0 && (
          <ul>
            {texts.map((text) => (
              <li key={text} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="row spread small">
        <span>
          {code}
          {requestId && (
            <>
              {" · request "}
              <code>{requestId}</code>
            </>
          )}
        </span>
        {retry && mayPass(of) && (
          <Button
            look="little"
            isOff={left > 0 || isTrying}
            onPress={() => {
              setTried(of);
              retry();
            }}
          >
            {isTrying ? "Trying …" : left > 0 ? `Try again in ${left} s` : "Try again"}
          </Button>
        )}
      </div>
    </div>
  );
};
