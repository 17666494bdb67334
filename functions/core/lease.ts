import { connect } from "../../db/core/client.ts";
import { releaseLease, takeLease } from "../../db/publishing/leases.ts";

/** Limits how long a run begins new chunks; the next run of the cron goes on with the rest. */
const RUN_MS = 45_000;

/** Leaves the last chunk of a run time to end. A run that dies keeps others out as long. */
const LEASE_SECONDS = 90;

/** Describes a duty of the cron. It works in chunks, and begins one only while `hasTime` says so. */
export type Duty = (env: Env, hasTime: () => boolean) => Promise<void>;

/** Makes a duty that does nothing while another run of it is under way, here or in another isolate. */
export const underLease =
  (name: string, duty: Duty) =>
  async (env: Env): Promise<void> => {
    const db = await connect(env.DATABASE_URL);
    const holder = crypto.randomUUID();
    if (!(await takeLease(db, name, holder, LEASE_SECONDS))) return;
    const deadline = Date.now() + RUN_MS;
    try {
      await duty(env, () => Date.now() < deadline);
    } finally {
      await releaseLease(db, name, holder);
    }
  };
