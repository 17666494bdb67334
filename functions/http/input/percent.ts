/**
 * Decodes a name or value of a form or a URL's query. A percent sign that no two digits follow stays as it is, as
 * browsers leave it.
 *
 * @param garbled returns what replaces encoded bytes that are not UTF-8, or throws. Replacement characters could make
 *   two texts the same
 */
export const decodePercent = (text: string, garbled: (encoded: string) => string): string =>
  text.replaceAll("+", " ").replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return garbled(encoded);
    }
  });
