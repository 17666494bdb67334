/** Holds the page's own texts for customers. */
type Words = { title: string; none: string; end: string };

const ENGLISH: Words = {
  title: "Offers",
  none: "There are no offers here at the moment.",
  end: "You can close this page.",
};

// These are the storefront script's other languages.
const WORDS: Record<string, Words> = {
  de: {
    title: "Angebote",
    none: "Zurzeit gibt es hier keine Angebote.",
    end: "Sie können diese Seite schließen.",
  },
  fr: {
    title: "Offres",
    none: "Il n’y a pas d’offres ici pour le moment.",
    end: "Vous pouvez fermer cette page.",
  },
  es: {
    title: "Ofertas",
    none: "Ahora mismo no hay ofertas aquí.",
    end: "Puedes cerrar esta página.",
  },
  ar: {
    title: "عروض",
    none: "لا توجد عروض هنا حاليًا.",
    end: "يمكنك إغلاق هذه الصفحة.",
  },
};

/** Returns the page's texts for a language's code, and the code of the language that they are in. */
export const wordsOf = (code: string): Words & { lang: string } => {
  const words = WORDS[code];
  return words ? { ...words, lang: code } : { ...ENGLISH, lang: "en" };
};
