import { decodePercent } from "./percent.ts";

const asIs = (text: string): string => text;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // A shop's page is not refused for its encoding: what is not UTF-8 stays encoded, so that sessions stay distinct.
    return decodePercent(text, asIs);
  }
};

/**
 * Reads the parameters of a URL, decoded. Of a repeated one, the first value counts. For UTF-8 it does what
 * `URLSearchParams` does, without a call into the runtime for each parameter.
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
