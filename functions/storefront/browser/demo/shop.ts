import type { Values } from "./settings.ts";

type Words = Record<string, string>;

const WORDS: Record<string, Words> = {
  en: {
    packs: "Packs",
    boots: "Boots",
    tents: "Tents",
    title: "Thank you, Robin!",
    sub: "Your order is confirmed. We are packing it right now.",
    order: "Your order",
    total: "Total",
    legal: "An invented shop with invented partners",
    items: "Ridge tent for two|Trail lamp|Down blanket",
  },
  de: {
    packs: "Rucksäcke",
    boots: "Stiefel",
    tents: "Zelte",
    title: "Vielen Dank, Robin!",
    sub: "Ihre Bestellung ist bestätigt. Wir packen sie gerade ein.",
    order: "Ihre Bestellung",
    total: "Summe",
    legal: "Ein erfundener Laden mit erfundenen Partnern",
    items: "Zelt für zwei|Wanderlampe|Daunendecke",
  },
  fr: {
    packs: "Sacs",
    boots: "Chaussures",
    tents: "Tentes",
    title: "Merci, Robin !",
    sub: "Votre commande est confirmée. Nous la préparons en ce moment.",
    order: "Votre commande",
    total: "Total",
    legal: "Une boutique imaginaire aux partenaires imaginaires",
    items: "Tente pour deux|Lampe de randonnée|Couverture en duvet",
  },
  es: {
    packs: "Mochilas",
    boots: "Botas",
    tents: "Tiendas",
    title: "¡Gracias, Robin!",
    sub: "Tu pedido está confirmado. Lo estamos preparando.",
    order: "Tu pedido",
    total: "Total",
    legal: "Una tienda inventada con socios inventados",
    items: "Tienda para dos|Lámpara de sendero|Manta de plumón",
  },
  ar: {
    packs: "حقائب",
    boots: "أحذية",
    tents: "خيام",
    title: "شكرًا لك يا روبن!",
    sub: "تم تأكيد طلبك، ونحن نجهّزه الآن.",
    order: "طلبك",
    total: "المجموع",
    legal: "متجر متخيَّل بشركاء متخيَّلين",
    items: "خيمة لشخصين|مصباح للمسير|بطانية دافئة",
  },
};

const PICTURES = ["tent", "lamp", "snowflake"];
const SHARES = [0.62, 0.24, 0.14];

const itemOf = (name: string, at: number, money: (share: number) => string): HTMLLIElement => {
  const item = document.createElement("li");
  const picture = document.createElement("img");
  const [label, price] = [document.createElement("span"), document.createElement("span")];
  [picture.src, picture.alt, picture.width, picture.height] = [`/icons/${PICTURES[at] ?? ""}.svg`, "", 44, 44];
  label.textContent = name;
  price.textContent = money(SHARES[at] ?? 0);
  item.append(picture, label, price);
  return item;
};

/** Shows the shop's page in the customer's language, with the order's amount and currency. */
export const dressShop = (shop: HTMLElement, values: Values, orderId: string): void => {
  const language = String(values.get("language"));
  const words = WORDS[language] ?? {};
  const format = new Intl.NumberFormat(language, { style: "currency", currency: String(values.get("currency")) });
  const money = (share: number) => format.format(Number(values.get("amount")) * share);
  shop.lang = language;
  shop.dir = language === "ar" ? "rtl" : "ltr";
  shop.querySelectorAll<HTMLElement>("[data-word]").forEach((place) => {
    place.textContent = words[place.dataset["word"] ?? ""] ?? "";
  });
  const items = (words["items"] ?? "").split("|").map((name, at) => itemOf(name, at, money));
  shop.querySelector("#items")?.replaceChildren(...items);
  shop.querySelector("#total")?.replaceChildren(money(1));
  shop.querySelector("#number")?.replaceChildren(`#${orderId}`);
};
