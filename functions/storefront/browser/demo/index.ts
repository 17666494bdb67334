import { makeCounters } from "./counters.ts";
import { addControls } from "./panel.ts";
import { readReport } from "./report.ts";
import { keepSession, type Happening } from "./session.ts";
import { LOOK, ORDER, readValues, type Values } from "./settings.ts";
import { dressShop } from "./shop.ts";
import { snippetOf } from "./snippet.ts";
import { withTemplate } from "./template.ts";
import { listen } from "./traffic.ts";

declare const DEMO_PUBLIC_KEY: string;
declare const DEMO_PLACEMENT: string;
declare const DEMO_TEST_PLACEMENT: string;

const POLL_MS = 1500;

const find = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
};
const newOrder = () => String(100_000 + Math.floor(Math.random() * 900_000));

const form = find("controls");
if (!(form instanceof HTMLFormElement)) throw new Error("the page has no form");
addControls(find("order-fields"), ORDER);
addControls(find("look-fields"), LOOK);

const showFigures = makeCounters(find("counters"));
let values: Values = readValues(form);
let orderId = newOrder();
let session = keepSession(null);

const isTest = () => values.get("test") === true;
const say = (text: string) => find("hint").replaceChildren(text);

const note = (name: Happening, address: string) => {
  session.note(name, address, isTest());
  showFigures("sent", session.sent());
};

listen(
  note,
  (received) => {
    if (received === null) {
      find("answer").textContent = "";
      find("meta").textContent = "no answer";
      return;
    }
    const { status, body, milliseconds, reason } = received;
    const offers = Array.isArray(body["offers"]) ? body["offers"].length : 0;
    const raw = JSON.stringify(body, null, 2);
    const shown = JSON.stringify(withTemplate(body, values), null, 2);
    const look = shown === raw ? "" : " · looks as set here";
    find("answer").textContent = shown;
    find("meta").textContent = `${status} · ${offers} offers · ${milliseconds.toFixed(0)} ms${look}`;
    if (reason) say(`No offers: ${reason.replace(/_/g, " ")}`);
    else say(isTest() ? "In test mode nothing is counted." : "");
  },
  (body) => withTemplate(body, values),
);

/** Returns what the panel asks for. */
const asked = () => ({
  publicKey: DEMO_PUBLIC_KEY,
  placementId: isTest() ? DEMO_TEST_PLACEMENT : DEMO_PLACEMENT,
  count: Number(values.get("count")),
  attributes: {
    orderid: orderId,
    country: String(values.get("country")),
    language: String(values.get("language")),
    amount: Number(values.get("amount")),
    currency: String(values.get("currency")),
  },
});

const dress = () => {
  find("window").classList.toggle("phone", values.get("preview") === "phone");
  find("snippet").textContent = snippetOf(location.origin, asked());
  find("copy").textContent = "Copy";
  find("session").textContent = `order ${orderId}`;
  dressShop(find("shop"), values, orderId);
};

const showOffers = () => {
  dress();
  window.Lanyap?.init({
    ...asked(),
    container: find("offers"),
    onClick: ({ clickUrl }) => note("clicks", clickUrl),
    onError: (error) => say(error.message),
  });
};

const refresh = async () => {
  if (document.hidden) return;
  const report = await readReport();
  if (report) showFigures("counted", session.counted(report));
};

/** Starts showing offers and figures, after it has read what was counted before. */
const start = async () => {
  dress();
  document.body.classList.add("filled");
  session = keepSession(await readReport());
  showFigures("sent", session.sent());
  showFigures("counted", session.counted({}));
  showOffers();
  setInterval(() => void refresh(), POLL_MS);
};

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => {
  if (!form.reportValidity()) return;
  values = readValues(form);
  showOffers();
});
find("customer").addEventListener("click", () => {
  orderId = newOrder();
  session.begin();
  showFigures("sent", session.sent());
  showFigures("counted", session.counted({}));
  showOffers();
});
const copy = async () => {
  const text = find("snippet").textContent;
  try {
    await navigator.clipboard.writeText(text);
    // Other lines may be shown by now.
    if (find("snippet").textContent === text) find("copy").textContent = "Copied";
  } catch {
    find("copy").textContent = "Not allowed: select the text";
  }
};
find("copy").addEventListener("click", () => void copy());

void start();
