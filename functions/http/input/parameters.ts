import { decodePercent } from "./percent.ts";

const asIs = (text: string): string => text;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // A shop's page is not turned away for its letters: those that are no UTF-8 stay encoded, so that sessions stay apart.
    return decodePercent(text, asIs);
  }
};

/**
 * Reads the parameters of a URL, decoded. A repeated one counts once, by its first value. It does what `URLSearchParams`
 * does with UTF-8, without a call into the runtime for each parameter.
 */
export const parametersOf = (url: string): Map<string, string> => {
  const parameters = new Map<string, string>();
  let from = url.indexOf("?") + 1;
  if (from === 0) return parameters;
  const read = /[%+]/.test(url) ? decode : asIs;
  while (from <= url.length) {
    const next = url.indexOf("&", from);
    const end = next === -1 ? url.length : next;
    const sign = url.indexOf("=", from);
    const hasValue = sign !== -1 && sign < end;
    const name = read(url.slice(from, hasValue ? sign : end));
    if (!parameters.has(name)) parameters.set(name, hasValue ? read(url.slice(sign + 1, end)) : "");
    from = end + 1;
  }
  return parameters;
};
