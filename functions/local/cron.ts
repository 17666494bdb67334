const MINUTE_MS = 60_000;

/**
 * Calls the Worker's scheduled handler now and every minute from now on, because `wrangler dev` never fires cron triggers.
 * While a call is running, no other begins. A call that fails is reported in one line.
 *
 * @returns a function that stops the calls
 */
export const startCron = (port: number): (() => void) => {
  const url = `http://127.0.0.1:${port}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`;
  const stopped = new AbortController();
  let running = false;
  const call = async () => {
    if (running) return;
    running = true;
    try {
      const response = await fetch(url, { signal: stopped.signal });
      const outcome = await response.text();
      if (!response.ok || outcome !== "ok")
        console.error(`lanyap: the cron run failed: HTTP ${response.status} ${outcome}`);
    } catch (error) {
      if (!stopped.signal.aborted) console.error(`lanyap: the cron run failed: ${String(error)}`);
    }
    running = false;
  };
  void call();
  const timer = setInterval(() => void call(), MINUTE_MS);
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
};
