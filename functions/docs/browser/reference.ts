import draw from "swagger-ui-dist/swagger-ui-bundle.js";
import { nameFields } from "./names.ts";
import { ownParts, withExamples } from "./parts.ts";
import { withRecentDays } from "./recent.ts";
import { credentialsOf, type DemoToken } from "./credentials.ts";

// Swagger UI's style follows a class, while other pages ask the browser.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = (): void => void document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const reference = document.getElementById("reference");
if (reference) {
  new MutationObserver(() => nameFields(reference)).observe(reference, { childList: true, subtree: true });
}

/** Holds the demo's credentials by their schemes, once they are known. */
const known: Record<string, string> = {};

const DESCRIPTION = "/openapi.json";

/** Holds what Swagger UI lets a page change in answers: that with the description, and those to requests tried out. */
type Received = { ok: boolean; url: string; text: string };

const received = (response: Received): Received =>
  response.ok && new URL(response.url).pathname === DESCRIPTION
    ? Object.assign(response, { text: withRecentDays(response.text, Date.now()) })
    : response;

/** Draws the reference from /openapi.json, to read and to try out. */
const ui = draw({
  dom_id: "#reference",
  url: DESCRIPTION,
  responseInterceptor: received,
  layout: "Parts",
  plugins: [ownParts, withExamples(known)],
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A validator elsewhere would get the description, and pages load nothing from elsewhere.
  validatorUrl: null,
  requestSnippetsEnabled: true,
  requestSnippets: { generators: { curl_bash: { title: "curl", syntax: "bash" } }, defaultExpanded: true },
  onComplete: () => void offerDemoKeys(),
});

/** Fills in the demo's credentials if the service is a demo on this machine, and says so. */
const offerDemoKeys = async (): Promise<void> => {
  const response = await fetch("/console/demo.json").catch(() => null);
  if (!response?.ok) return;
  const tokens = (await response.json()) as readonly DemoToken[];
  Object.assign(known, Object.fromEntries(credentialsOf(tokens)));
  for (const [scheme, value] of Object.entries(known)) ui.preauthorizeApiKey(scheme, value);
  const keys = document.getElementById("keys");
  if (!keys) return;
  keys.textContent = "This is a demo on your machine: its keys are filled in, so that “Execute” works right away.";
  keys.hidden = false;
};
