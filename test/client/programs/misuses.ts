// Uses the package as nobody may: every marked line is refused by the compiler.
import { createClient, createClientOf, isLanyapError, type ErrorCode } from "lanyap-client";
import { getMe, listSites } from "lanyap-client/operations";

const lanyap = createClient({ url: "", token: "" });
export const misuses = async (error: unknown): Promise<void> => {
  // @ts-expect-error an operation that there is not
  await lanyap.createShop({ name: "Shop" });
  // @ts-expect-error a member that has to be there is missing
  await lanyap.createSite({});
  // @ts-expect-error a member is misspelt
  await lanyap.createSite({ name: "Shop", orderVolumes: 7 });
  // @ts-expect-error a value that is not allowed
  await lanyap.updateSiteStatus("site_0", { status: "on" });
  // @ts-expect-error a number is a text
  await lanyap.updateOffer("ofr_0", { bidMicros: "5" });
  // @ts-expect-error a member within another is misspelt
  await lanyap.updateOffer("ofr_0", { targeting: { country: ["US"] } });
  // @ts-expect-error the id is missing
  await lanyap.updateSite({ orderVolume: 7 });
  // @ts-expect-error an id is no number
  await lanyap.getSite(7);
  // @ts-expect-error a parameter that has to be there is missing
  await lanyap.getOffers({ sessionId: "s-1" });
  // @ts-expect-error a parameter that there is not
  await lanyap.listSites({ limit: 5 });
  // @ts-expect-error reading names no version to change
  await lanyap.getSite("site_0", { ifMatch: "x" });
  // @ts-expect-error text says of which type it is
  await lanyap.importOffers("name,title");
  // @ts-expect-error an answer has no such member
  (await lanyap.getSite("site_0")).data.title.trim();
  // @ts-expect-error what may be missing is not taken for granted
  (await lanyap.getAdvertiser("adv_0")).data.conversionSecret.trim();
  // @ts-expect-error what is no list is not gone through
  for await (const each of lanyap.getSite("site_0")) lanyap.getSite(each);
  // @ts-expect-error a client of some operations has no others
  await createClientOf({ url: "" }, { getMe, listSites }).getSite("site_0");
  // @ts-expect-error operations keep their names
  createClientOf({ url: "" }, { getMe: listSites });
  // @ts-expect-error a code that there is not
  if (isLanyapError(error, "NOT_THERE")) return;
  // @ts-expect-error details have their types
  if (isLanyapError(error, "PRECONDITION_FAILED")) error.details.etag.push("");
  // @ts-expect-error a code that there is not
  const code: ErrorCode = "NOT_THERE";
  // @ts-expect-error a client needs an address
  createClient({ token: code });
};
