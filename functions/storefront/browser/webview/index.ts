import type { Lanyap } from "../embed/global.ts";
import { codeOf, directionOf, tagOf } from "../embed/service/language.ts";
import { tellApp } from "./bridge.ts";
import { wordsOf } from "./texts.ts";

const query = new URLSearchParams(location.search);
const given = (name: string): string => query.get(name) ?? "";
const count = Number(given("count"));
// The script ignores upper case in these names, so this page does, too.
const attributes = Object.fromEntries(
  [...query].map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => name.startsWith("at.")),
);
// Whoever linked to this page may not know the customer's language, but the browser does.
const locale = given("locale") || attributes["at.language"] || navigator.language || "en";
const words = wordsOf(codeOf(locale));
const root = document.documentElement;
root.lang = tagOf(locale);
root.dir = directionOf(locale);
document.title = words.title;
const heading = document.querySelector("h1");
if (heading) Object.assign(heading, { lang: words.lang, textContent: words.title });

const event = (name: string, data: unknown = {}) => tellApp("event", name, data);

const placementId = given("placement") || given("placementId");
const needed = {
  placement: placementId,
  publicKey: given("publicKey"),
  "at.orderid or at.email": ["at.orderid", "at.order_id", "at.email"].map((name) => attributes[name]).find(Boolean),
};
const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
/** Adds a note below the offers, so that the focus stays where it is. */
const say = (text: string, lang: string): void => {
  const note = document.createElement("p");
  Object.assign(note, { lang, dir: directionOf(lang), textContent: text });
  document.getElementById("lanyap")?.append(note);
};
/** Shows a text to customers who came without an app; an app gets a message instead, and closes the page. */
const sayTo = (isTold: boolean, text: string): void => {
  if (!isTold && missing.length === 0) say(text, words.lang);
};
if (missing.length > 0) say(`There are no offers here, because this page’s address lacks ${missing.join(", ")}.`, "en");

const lanyap: Lanyap | undefined = window.Lanyap;
lanyap?.init({
  publicKey: given("publicKey"),
  placementId,
  sessionId: given("sessionId"),
  locale,
  attributes,
  ...(count > 0 && { count }),
  onReady: (ready) => event("ready", ready),
  onShow: (offer, index) => event("show", { offer, index }),
  onView: (offer, index) => event("view", { offer, index }),
  // A web view has no tabs, so an app that takes the message opens the address in the customer's browser.
  onClick: (offer, index) => !event("click", { offer, index, url: offer.clickUrl }),
  onClose: (offer, index, reason) => event("close", { offer, index, reason }),
  onEmpty: (reason) => sayTo(event("empty", { reason }), words.none),
  onEnd: () => sayTo(event("end"), words.end),
  onError: ({ code, message }) => {
    const isTold = tellApp("error", code, { message });
    // This is for whoever sets the page up; customers cannot do anything about it.
    if (!isTold && missing.length === 0) console.error(`Lanyap: ${code}: ${message}`);
    sayTo(isTold, words.none);
  },
});
