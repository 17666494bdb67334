/**
 * Holds the storefront script's own texts by language, for languages that it loads when a page needs them. They are in
 * the order of the English ones in `browser/embed/view/texts.ts`.
 */
export const LANGUAGES: Record<string, string> = {
  de: "Angebote für Sie|Partnerangebot|{n} von {m}|Angebote schließen|Bedingungen|Hinweis|Von einem Partner von {brand}. Ihre Bestellung bleibt in jedem Fall, wie sie ist.|Datenschutz|Angebote von Lanyap|öffnet einen neuen Tab|Keine weiteren Angebote|Testmodus",
  fr: "Offres pour vous|Offre partenaire|{n} sur {m}|Fermer les offres|Conditions|Mentions|D’un partenaire de {brand}. Quel que soit votre choix, votre commande ne change pas.|Confidentialité|Offres par Lanyap|s’ouvre dans un nouvel onglet|Plus d’offres|Mode test",
  es: "Ofertas para ti|Oferta de un socio|{n} de {m}|Cerrar ofertas|Condiciones|Aviso|De un socio de {brand}. Elijas lo que elijas, tu pedido no cambia.|Privacidad|Ofertas de Lanyap|se abre en una pestaña nueva|No hay más ofertas|Modo de prueba",
  ar: "عروض لك|عرض من شريك|{n} من {m}|إغلاق العروض|الشروط|إيضاح|من شريك {brand}. يبقى طلبك كما هو في كل حال.|الخصوصية|عروض من Lanyap|يُفتح في تبويب جديد|لا مزيد من العروض|وضع الاختبار",
};
