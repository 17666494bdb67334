/** Describes a message to the app around the page. */
export type Message = { type: "event" | "error"; name: string; data: unknown };

declare global {
  interface Window {
    webkit?: { messageHandlers?: { lanyap?: { postMessage: (message: Message) => void } } };
    LanyapAndroid?: { postMessage: (message: string) => void };
  }
}

const bridges: ((message: Message) => boolean)[] = [
  (message) => {
    window.webkit?.messageHandlers?.lanyap?.postMessage(message);
    return Boolean(window.webkit?.messageHandlers?.lanyap);
  },
  // Android's bridge takes texts only.
  (message) => {
    window.LanyapAndroid?.postMessage(JSON.stringify(message));
    return Boolean(window.LanyapAndroid);
  },
];

/** Sends a message to the app, on iOS or on Android. Returns false where none listens, or none took it. */
export const tellApp = (type: Message["type"], name: string, data: unknown): boolean => {
  const delivered = bridges.map((send) => {
    try {
      return send({ type, name, data });
    } catch (error) {
      console.error("Lanyap: the app did not take a message", error);
      return false;
    }
  });
  return delivered.includes(true);
};
