import { makeCounters } from "./counters.ts";
import { addControls } from "./panel.ts";
import { readCounted } from "./report.ts";
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

const counters = makeCounters(find("counters"));
let values: Values = readValues(form);
let orderId = newOrder();

listen(
  counters.sent,
  ({ status, body, milliseconds, reason }) => {
    const offers = Array.isArray(body["offers"]) ? body["offers"].length : 0;
    find("answer").textContent = JSON.stringify(withTemplate(body, values), null, 2);
    find("meta").textContent = `${status} · ${offers} offers · ${milliseconds.toFixed(0)} ms`;
    find("hint").textContent = reason ? `No offers: ${reason.replace(/_/g, " ")}` : "";
  },
  (body) => withTemplate(body, values),
);

const placement = () => (values.get("test") === true ? DEMO_TEST_PLACEMENT : DEMO_PLACEMENT);

const start = () => {
  const attributes = {
    orderid: orderId,
    country: String(values.get("country")),
    language: String(values.get("language")),
    amount: Number(values.get("amount")),
    currency: String(values.get("currency")),
  };
  const asked = {
    publicKey: DEMO_PUBLIC_KEY,
    placementId: placement(),
    count: Number(values.get("count")),
    attributes,
  };
  find("window").classList.toggle("phone", values.get("preview") === "phone");
  find("snippet").textContent = snippetOf(location.origin, asked);
  dressShop(find("shop"), values, orderId);
  window.Lanyap?.init({
    ...asked,
    container: find("offers"),
    onClick: () => counters.sent("clicks"),
    onError: (error) => (find("hint").textContent = error.message),
  });
};

const refresh = async () => {
  const hint = find("hint");
  if (values.get("test") === true) hint.textContent = "In test mode nothing is counted.";
  const counted = await readCounted(placement());
  if (counted) counters.counted(counted);
};

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => {
  values = readValues(form);
  start();
});
find("customer").addEventListener("click", () => {
  orderId = newOrder();
  start();
});
find("copy").addEventListener("click", (event) => {
  const button = event.currentTarget;
  if (!(button instanceof HTMLElement)) return;
  void navigator.clipboard.writeText(find("snippet").textContent).then(() => (button.textContent = "Copied"));
});

start();
void refresh();
setInterval(() => void refresh(), POLL_MS);
