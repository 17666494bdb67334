import { expect, it } from "vitest";
import { credentialsOf } from "../../functions/docs/browser/credentials.ts";

it("knows by its prefix what a token of the demo opens", () => {
  const tokens = ["lan_pk_1", "lan_sk_2", "lan_plat_3", "anything"].map((token) => ({ name: "Demo", token }));
  expect(credentialsOf(tokens)).toEqual([
    ["publicKey", "lan_pk_1"],
    ["publisherToken", "lan_sk_2"],
    ["platformToken", "lan_plat_3"],
    ["administratorToken", "anything"],
  ]);
});
