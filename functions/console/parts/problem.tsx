import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { linesOf, mayPass, type Problem } from "../api/problem.ts";
import { Button } from "./button.tsx";

const ADVICE: Record<string, string> = {
  FORBIDDEN: "Your token may not do this.",
  PRECONDITION_FAILED: "Somebody has changed this since you opened it.",
  UNREACHABLE: "Check your connection, and try again: the same, sent again, is done only once.",
  TIMEOUT: "The service is slow. Try again: the same, sent again, is done only once.",
  RATE_LIMIT_EXCEEDED: "That was more changes than are allowed in a minute.",
  INTERNAL_SERVER_ERROR:
    "Something went wrong in the service. Trying again may help. If it does not, give whoever runs the service the request id.",
};

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
export const ProblemNote = ({ of, retry }: { of: Problem; retry?: () => void }): JSX.Element => {
  const left = useCountdown(of.retryAfter);
  // Trying again ends this note, or fails with another problem.
  const [tried, setTried] = useState<Problem | null>(null);
  const isTrying = tried === of;
  const { code, requestId } = of;
  const { lead, texts } = linesOf(of);
  return (
    <div class="note bad stack tight" role="alert">
      <div>
        {ADVICE[code] && <strong>{ADVICE[code]} </strong>}
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
