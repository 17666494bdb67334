import { expect, it } from "vitest";
import type { DocumentKey } from "../../../../db/documents/keys.ts";
import type { Stored } from "../../../../db/documents/types.ts";
import { newId } from "../../../../db/core/ids.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import app from "../../../../functions/app.ts";
import { documentKeys } from "../../../../functions/documents/read.ts";
import { memory } from "../../../../functions/documents/memory.ts";
import { candidatesDocument, networkDocument, placementDocument } from "../../../support/documents/documents.ts";
import { SETTINGS } from "../../../support/secrets.ts";

const keep = (key: DocumentKey, value: Stored["value"]): void => {
  memory.set(key, { builtAt: Date.now(), value }, 100, Date.now());
};

it("an answer from memory comes without a promise", async () => {
  const publicKey = makeKey("public");
  const placementId = newId("placement");
  const publisherId = newId("publisher");
  keep(documentKeys.key(publicKey), { publisherId, status: "active", adsEnabled: true, expiresAt: null });
  keep(documentKeys.placement(placementId), placementDocument({ publisherId, isLiveMode: false }));
  keep(documentKeys.candidates(placementId, "US"), candidatesDocument([]));
  keep(documentKeys.network, networkDocument());

  const query = { placementId, sessionId: "s", "at.orderid": "1", "at.country": "US", publicKey };
  const response = app.fetch(
    new Request(`https://offers.example/api/odata?${new URLSearchParams(query).toString()}`),
    { ...SETTINGS, DOCUMENT_FRESH_MS: "60000" },
    { waitUntil: () => {}, passThroughOnException: () => {}, props: {} },
  );
  expect(response).toBeInstanceOf(Response);
  expect(await (await response).json()).toMatchObject({ isTestMode: true, offers: [{}, {}, {}, {}] });
});
