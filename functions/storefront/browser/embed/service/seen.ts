/** Limits how many offers of a session are remembered. */
const MOST = 50;

/** Names a session's entry in the tab's storage by a hash, which reveals nothing about e-mail or order. */
const keyOf = (session: string): string => {
  let hash = 0;
  for (const letter of session) hash = (hash * 31 + (letter.codePointAt(0) as number)) | 0;
  return `lanyap${hash}`;
};

/**
 * Lists the offers that a session has accepted or declined in this tab, the latest first, with commas between them. The
 * text is empty where the browser keeps nothing.
 */
export const seenBy = (session: string): string => {
  try {
    return sessionStorage.getItem(keyOf(session)) ?? "";
  } catch {
    return "";
  }
};

/** Remembers that a session has accepted or declined an offer, as long as the tab is open. */
export const noteSeen = (session: string, id: string): void => {
  try {
    const ids = new Set([id, ...seenBy(session).split(",")]);
    ids.delete("");
    sessionStorage.setItem(keyOf(session), [...ids].slice(0, MOST).join());
  } catch {
    // The storage is full, or the browser forbids it.
  }
};
