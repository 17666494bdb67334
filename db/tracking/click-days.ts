/** Sets for how many days a click counts after its offer was shown, and a conversion after its click. */
export const CLICK_DAYS = 30;

/** Sets how long a conversion waits for its click: longer than a click is tried again after failures. */
export const CLICK_WAIT_DAYS = 7;
