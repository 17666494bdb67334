const RETRY_MS = 1000;

/** Tells the service that an offer was displayed; the service counts it once, however often it hears of it. */
export const reportDisplay = (url: string, retries = 1): void => {
  const again = () => {
    if (retries > 0) setTimeout(reportDisplay, RETRY_MS, url, retries - 1);
  };
  try {
    fetch(url, { mode: "no-cors", keepalive: true, credentials: "omit" }).catch(again);
  } catch {
    again();
  }
};

/** Tells the service that an offer was viewable. */
export const reportView = (url: string): void => reportDisplay(`${url}${url.includes("?") ? "&" : "?"}v=1`);

/** Tells the service that an offer was closed, also while the page is being left. */
export const reportClose = (url: string): void => {
  try {
    if (navigator.sendBeacon(url)) return;
  } catch {
    // The other way is tried.
  }
  reportDisplay(url, 0);
};
