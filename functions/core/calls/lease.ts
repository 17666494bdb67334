import { connect } from "../../../db/core/client.ts";
import { releaseLease, takeLease } from "../../../db/publishing/leases.ts";

/** Limits how long a run begins new chunks; the next run of the cron continues with the rest. */
const RUN_MS = 45_000;

/**
 * Sets the length of a lease, which leaves the last chunk of a run time to end. A run that dies keeps others out for as
 * long.
 */
const LEASE_SECONDS = 90;

/**
 * Reserves subrequests for a chunk of work: each statement or batch, and each call of a Durable Object, KV or a queue,
 * is one. Returns false when the run has no time or too few of them left.
 */
export type Reserve = (subrequests: number) => boolean;

/** Describes a duty of the cron. It works in chunks, and begins one only if it could reserve what the chunk takes. */
export type Duty = (env: Env, reserve: Reserve) => Promise<void>;

/**
 * Makes a duty that does nothing while another run of it is under way, here or in another isolate.
 *
 * @param subrequests the most that its chunks may make in a run
 */
export const underLease =
  (name: string, duty: Duty, subrequests: number) =>
  async (env: Env): Promise<void> => {
    const db = connect(env.DATABASE_URL);
    const holder = crypto.randomUUID();
    if (!(await takeLease(db, name, holder, LEASE_SECONDS))) return;
    const deadline = Date.now() + RUN_MS;
    let left = subrequests;
    const reserve: Reserve = (wanted) => {
      if (Date.now() >= deadline || wanted > left) return false;
      left -= wanted;
      return true;
    };
    try {
      await duty(env, reserve);
    } finally {
      await releaseLease(db, name, holder);
    }
  };
