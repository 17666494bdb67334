const RETRY_MS = 1000;

/** Reports to the service that an offer was displayed. The service counts that once, however often it is reported. */
export const reportDisplay = async (url: string, retries = 1): Promise<void> => {
  try {
    await fetch(url, { mode: "no-cors", keepalive: true, credentials: "omit" });
  } catch {
    if (retries > 0) setTimeout(reportDisplay, RETRY_MS, url, retries - 1);
  }
};

/** Reports to the service that an offer was viewable. */
export const reportView = (url: string): Promise<void> => reportDisplay(`${url}&v=1`);

/** Names how a customer closes an offer: turns it down and goes on to the next, or closes all. */
export type Closing = "decline" | "close";

/** Reports to the service that an offer was closed, and how, even while the customer is leaving the page. */
export const reportClose = (closeUrl: string, how: Closing): void => {
  const url = `${closeUrl}&r=${how}`;
  try {
    if (navigator.sendBeacon(url)) return;
  } catch {
    // The request below is tried instead.
  }
  void reportDisplay(url, 0);
};
