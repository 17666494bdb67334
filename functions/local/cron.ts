const MINUTE_MS = 60_000;

/**
 * Stands in for the cron trigger, which `wrangler dev` never fires: calls the Worker's scheduled handler now and
 * then each minute. A call that fails is reported in one line; one that is still running is waited for.
 * @returns how to stop it
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
      if (!response.ok || outcome !== "ok") console.error(`lanyap: cron: HTTP ${response.status} ${outcome}`);
    } catch (error) {
      if (!stopped.signal.aborted) console.error(`lanyap: cron: ${String(error)}`);
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
