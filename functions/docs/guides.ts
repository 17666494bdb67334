/** Names parts of a Markdown file: its path from the project's root, and the headings of the parts. */
type Source = { file: string; headings: readonly string[] };

/** Describes a guide: its address below `/docs/`, its title, and the parts of the documentation that it shows. */
export type Guide = { slug: string; title: string; about: string; sources: readonly Source[] };

const API = "functions/routes/API.md";
const STOREFRONT = "functions/storefront/README.md";

/** Lists the guides beside the reference, in order. They show the texts of the files, so that each is written once. */
export const GUIDES: readonly Guide[] = [
  {
    slug: "start",
    title: "From nothing to an offer",
    about: "A publisher, a site, a placement and an offer that is served, and a conversion.",
    sources: [{ file: API, headings: ["A publisher from nothing"] }],
  },
  {
    slug: "get-offers",
    title: "Get offers",
    about: "With two lines on a page, with code, or from a server.",
    sources: [
      { file: STOREFRONT, headings: ["The two lines", "With code"] },
      { file: API, headings: ["Getting offers", "Tracking"] },
    ],
  },
  {
    slug: "client",
    title: "The typed client",
    about: "The same from TypeScript: from nothing to offers, errors, retries.",
    sources: [
      {
        file: "functions/client/package/README.md",
        headings: [
          "Install",
          "From nothing to offers",
          "Offers on a server",
          "Answers",
          "Errors",
          "Retries",
          "Small bundles",
        ],
      },
    ],
  },
  {
    slug: "looks",
    title: "How offers look",
    about: "What a placement’s data changes, with every member.",
    sources: [{ file: STOREFRONT, headings: ["How offers look"] }],
  },
  {
    slug: "conversions",
    title: "Conversions",
    about: "Report that a click became a customer, see how the report stands, or take it back.",
    sources: [{ file: API, headings: ["Conversions"] }],
  },
  {
    slug: "changes",
    title: "Changes without webhooks",
    about: "What to call, and how often, to follow what changes.",
    sources: [{ file: API, headings: ["Following changes"] }],
  },
  {
    slug: "errors",
    title: "Requests and errors",
    about: "Rules for all endpoints: credentials, ids, money, versions, safe retries, errors.",
    sources: [{ file: API, headings: ["Rules for all endpoints"] }],
  },
  {
    slug: "rate-limits",
    title: "Rate limits",
    about: "How often changes may be made, and how answers say so.",
    sources: [{ file: API, headings: ["Rate limits"] }],
  },
  {
    slug: "resources",
    title: "Resources",
    about: "Every field of publishers, sites, placements, advertisers and offers.",
    sources: [{ file: API, headings: ["Resources"] }],
  },
];
