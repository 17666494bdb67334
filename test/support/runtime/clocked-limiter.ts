import { RateLimiter } from "../../../functions/http/credentials/rate-limit.ts";

const realNow = Date.now.bind(Date);
let setNow: number | null = null;
Date.now = () => setNow ?? realNow();

/** Runs the service's limiter in its real object, with a clock that a test sets. */
export class ClockedLimiter extends RateLimiter {
  /** Sets the time, in milliseconds since 1970. */
  setClock(now: number): void {
    setNow = now;
  }

  /** Tells how many entries the object has stored, and when its alarm rings. */
  async stored(): Promise<{ entries: number; alarm: number | null }> {
    const entries = [...this.ctx.storage.kv.list()].length;
    return { entries, alarm: await this.ctx.storage.getAlarm() };
  }

  /** Does at once what the runtime does at the time of the alarm. */
  async ring(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.alarm();
  }
}

export default { fetch: (): Response => new Response(null, { status: 404 }) };
