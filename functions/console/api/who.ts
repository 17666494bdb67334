import { session, type Principal } from "./session.ts";
import { useStore } from "../core/store.ts";

const NOBODY: Principal = {
  kind: "publisher",
  id: null,
  name: null,
  access: "READ",
  revenueAccess: false,
  grossAccess: false,
};

/** Returns who is signed in. */
export const useWho = (): Principal => useStore(session)?.who ?? NOBODY;

/** Tells whether somebody may change what only its publisher may: sites, placements and the publisher itself. */
export const mayChange = (who: Principal): boolean => who.kind === "publisher" && who.access === "WRITE";

/** Tells whether somebody may change what owners may: switches of publishers, keys and tokens. */
export const mayOwn = (who: Principal): boolean => who.access === "WRITE";
