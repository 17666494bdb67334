import { newId } from "../../../db/core/ids.ts";

// Bodies that the routes accept, with every field that may be sent.

export const status = () => ({ status: "inactive", reason: "Because" });
export const ads = () => ({ adsEnabled: false, reason: "Because" });
export const overlap = () => ({ overlapSeconds: 3_600 });
export const named = () => ({ name: `Name ${newId("event")}` });
export const contact = () => ({
  contactName: "Toni",
  contactEmail: `${newId("event")}@test.example`,
  contactPhone: "+49 30 123",
});
export const siteFields = () => ({
  ...named(),
  description: "A shop",
  orderVolume: 10,
  averageOrder: 9.5,
  ageDemographics: "AGE_25_34",
  genderDemographics: "MIXED",
  domain: "shop.example",
  status: "active",
  categoryName: "Automotive > Dealerships",
});
export const placementFields = () => ({
  ...named(),
  pageType: "ORDER_PAGE",
  isLiveMode: true,
  template: 3,
  data: { brandName: "Brand", templateConfig: { layoutConfig: { gridGap: "8px" } } },
});
const shownFields = () => ({
  ...named(),
  title: "Title",
  header: "Header",
  description: "Description",
  ctaText: "Yes",
  declineButtonText: "No",
  termsUrl: "https://advertiser.example/terms",
  icon: { url: "/icons/brand.svg", width: 10, height: 10 },
  destinationUrl: "https://advertiser.example/landing",
  status: "active",
});
export const creativeFields = () => ({ ...shownFields(), weight: 50 });
export const offerFields = () => ({
  ...shownFields(),
  creativeSplit: "LEARNED",
  creativeWeight: 10,
  startsAt: "2026-01-01T00:00:00Z",
  priority: 2,
  pricing: "CPC",
  bidMicros: 1000,
  dailyCap: 5,
  pacing: "EVEN",
  targeting: { countries: ["DE"], currencies: ["EUR"], amountMin: 1 },
});
