/**
 * Decodes a name or value of a form or a URL's query. A percent sign that no two digits follow stays as it is, as browsers
 * leave it.
 *
 * @param garbled returns what takes the place of encoded bytes that are no UTF-8, or throws. Marks in their place would make
 *   two texts one
 */
export const decodePercent = (text: string, garbled: (encoded: string) => string): string =>
  text.replaceAll("+", " ").replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return garbled(encoded);
    }
  });
