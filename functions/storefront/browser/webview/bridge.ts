/** Describes a message to the app around the page. */
export type Message = { type: "event" | "error"; name: string; data: unknown };

declare global {
  interface Window {
    webkit?: { messageHandlers?: { lanyap?: { postMessage: (message: Message) => void } } };
    LanyapAndroid?: { postMessage: (message: string) => void };
  }
}

/** Tells whether an app listens, on iOS or on Android. */
export const hasApp = (): boolean => Boolean(window.webkit?.messageHandlers?.lanyap ?? window.LanyapAndroid);

/** Sends a message to the app. Android's bridge takes texts only. */
export const tellApp = (type: Message["type"], name: string, data: unknown): void => {
  const message = { type, name, data };
  try {
    window.webkit?.messageHandlers?.lanyap?.postMessage(message);
    window.LanyapAndroid?.postMessage(JSON.stringify(message));
  } catch (error) {
    console.error("Lanyap: the app did not take a message", error);
  }
};
