const RETRY_MS = 1000;

/** Tells the service that an offer was displayed. The service counts it once, however often it is told. */
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

/** Tells the service that an offer was closed, even while the customer is leaving the page. */
export const reportClose = (url: string): void => {
  try {
    if (navigator.sendBeacon(url)) return;
  } catch {
    // The request below is tried instead.
  }
  reportDisplay(url, 0);
};
