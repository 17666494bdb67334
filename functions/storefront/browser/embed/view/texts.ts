import { ANSWER_DEFAULTS } from "../../../../core/template.ts";

// The order is: region, partner label, count, close, terms, disclaimer, its text, privacy, footer, new tab, end, test.
const LANGUAGES: Record<string, string> = {
  en: "Offers for you|Partner offer|{n} of {m}|Close offers|Terms|Disclaimer|From a partner of {brand}. Whatever you choose, your order stays as it is.|Privacy policy|Offers by {service}|opens in a new tab|No more offers|Test mode",
  de: "Angebote für Sie|Partnerangebot|{n} von {m}|Angebote schließen|Bedingungen|Hinweis|Von einem Partner von {brand}. Ihre Bestellung bleibt in jedem Fall, wie sie ist.|Datenschutz|Angebote von {service}|öffnet einen neuen Tab|Keine weiteren Angebote|Testmodus",
  fr: "Offres pour vous|Offre partenaire|{n} sur {m}|Fermer les offres|Conditions|Mentions|D’un partenaire de {brand}. Quel que soit votre choix, votre commande ne change pas.|Confidentialité|Offres par {service}|s’ouvre dans un nouvel onglet|Plus d’offres|Mode test",
  es: "Ofertas para ti|Oferta de un socio|{n} de {m}|Cerrar ofertas|Condiciones|Aviso|De un socio de {brand}. Elijas lo que elijas, tu pedido no cambia.|Privacidad|Ofertas de {service}|se abre en una pestaña nueva|No hay más ofertas|Modo de prueba",
  ar: "عروض لك|عرض من شريك|{n} من {m}|إغلاق العروض|الشروط|إيضاح|من شريك {brand}. يبقى طلبك كما هو في كل حال.|الخصوصية|عروض من {service}|يُفتح في تبويب جديد|لا مزيد من العروض|وضع الاختبار",
};

const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b/i;

/** Holds the script's own texts in one language, and the direction of writing. */
export type Texts = ReturnType<typeof textsOf>;

const { privacyLinkLabel } = ANSWER_DEFAULTS.templateData.templateConfig.footerConfig;

/** Returns the texts for a language tag, in English where the script lacks the language. */
export const textsOf = (locale: string, brand: string) => {
  const language = locale.slice(0, 2).toLowerCase();
  const spoken = LANGUAGES[language] ? language : "en";
  const words = (LANGUAGES[spoken] ?? "").split("|");
  const [region = "", partner = "", count = "", close = "", terms = "", disclaimer = "", why = ""] = words;
  const [privacy = "", by = "", newTab = "", end = "", test = ""] = words.slice(7);
  return {
    region,
    partner,
    close,
    terms,
    disclaimer,
    newTab,
    end,
    test,
    why: why.replace("{brand}", () => brand),
    by: by.replace("{service}", "Lanyap"),
    language: spoken,
    direction: RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr",
    count: (n: number, m: number) => count.replace("{n}", String(n)).replace("{m}", String(m)),
    /** Returns the privacy link's label: the placement's own, unless that is the service's English default. */
    privacy: (label: string) => (label && label !== privacyLinkLabel ? label : privacy),
  };
};
