import { RateLimiter } from "../../../functions/http/credentials/rate-limit.ts";

const realNow = Date.now.bind(Date);
let setNow: number | null = null;
Date.now = () => setNow ?? realNow();

/** Runs the service's limiter in a real Durable Object, with a clock that a test sets. */
export class ClockedLimiter extends RateLimiter {
  /** Sets the time, in milliseconds since 1970. */
  setClock(now: number): void {
    setNow = now;
  }

  /** Tells how many entries the object has stored, and when its alarm is due. */
  async stored(): Promise<{ entries: number; alarm: number | null }> {
    const entries = [...this.ctx.storage.kv.list()].length;
    return { entries, alarm: await this.ctx.storage.getAlarm() };
  }

  /** Runs at once what the runtime runs when the alarm is due. */
  async ring(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.alarm();
  }
}

export default { fetch: (): Response => new Response(null, { status: 404 }) };
