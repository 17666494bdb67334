import type { SealedDecision } from "../../../functions/answer/tracking-token.ts";

/** Is a decision as it is sealed into tracking URLs, of a customer whose session and e-mail are known. */
export const SEALED_DECISION: SealedDecision = {
  decisionId: "dec_01m7yfxddresnrhs278v6axnnm",
  placementId: "plc_01m7yfxddsesnrhs3551vjgzr1",
  country: "US",
  isTest: false,
  arm: "0",
  sessionHash: "abcdefghijklmnopqrstuv",
  emailHash: "ABCDEFGHIJKLMNOPQRSTU_",
};
