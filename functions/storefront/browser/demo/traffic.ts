import type { Happening } from "./session.ts";

type Json = Record<string, unknown>;

/** Describes an answer of the service as it came, and the time it took. */
export type Received = { status: number; body: Json; milliseconds: number; reason: string | null };

const beaconOf = (address: string): Happening | null => {
  const { pathname, searchParams } = new URL(address, location.href);
  if (pathname.endsWith("/close")) return "closes";
  if (!pathname.endsWith("/vdata")) return null;
  return searchParams.get("v") === "1" ? "viewable" : "impressions";
};

const answered = async (asked: Promise<Response>): Promise<[Response, Json]> => {
  const response = await asked;
  return [response, (await response.json()) as Json];
};

/**
 * Listens to what the storefront script sends and receives, without the script knowing.
 *
 * @param onAnswer receives null where no answer came
 * @param change returns the answer that the script gets in place of the service's
 */
export const listen = (
  onSent: (what: Happening, address: string) => void,
  onAnswer: (received: Received | null) => void,
  change: (body: Json) => Json,
): void => {
  let last = 0;
  const plainFetch = window.fetch.bind(window);
  const plainBeacon = navigator.sendBeacon.bind(navigator);
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const beacon = beaconOf(address);
    if (beacon) onSent(beacon, address);
    if (!new URL(address, location.href).pathname.endsWith("/api/odata")) return plainFetch(input, init);
    onSent("requests", address);
    last += 1;
    const turn = last;
    const started = performance.now();
    const [response, body] = await answered(plainFetch(input, init)).catch((error: unknown) => {
      // The script gives up a request once it has another one.
      if (turn === last) onAnswer(null);
      throw error;
    });
    const reason = response.headers.get("x-no-fill-reason");
    onAnswer({ status: response.status, body, milliseconds: performance.now() - started, reason });
    const seen = response.ok ? change(body) : body;
    return new Response(JSON.stringify(seen), { status: response.status, headers: response.headers });
  };
  navigator.sendBeacon = (address, data) => {
    const beacon = beaconOf(String(address));
    if (beacon) onSent(beacon, String(address));
    return plainBeacon(address, data);
  };
};
