import { askOffers } from "./service/api.ts";
import { makeFrame } from "./view/frame.ts";
import { isProblem, localeOf, problem, type Options } from "./service/options.ts";
import { pause } from "./service/pause.ts";
import { showOffers, type Tell } from "./stage.ts";
import { textsOf } from "./view/texts.ts";

/** Describes what `Lanyap.init` returns. */
export type Handle = { destroy: () => void };

const running = new WeakMap<Element, Handle>();

const event = (name: string): Promise<void> =>
  new Promise((resolve) => document.addEventListener(name, () => resolve(), { once: true }));

const find = (container: Options["container"]): Element | null => {
  try {
    return container instanceof Element ? container : document.querySelector(container || "#lanyap");
  } catch {
    // The text is not a selector.
    return null;
  }
};

/**
 * Waits for the place where offers go. While the browser only prerenders the page, no customer sees it, so this waits, too.
 *
 * @throws {LanyapError} `CONTAINER` when the page lacks the container that the options name
 */
const placeFor = async ({ container }: Options, otherwise: () => Element): Promise<Element> => {
  const page: Document & { prerendering?: boolean } = document;
  if (!find(container) && page.readyState === "loading") await event("DOMContentLoaded");
  if (page.prerendering) await event("prerenderingchange");
  const place = find(container);
  if (!place && container) throw problem("CONTAINER", "the page has no such container");
  return place ?? otherwise();
};

const atEndOfPage = (): Element => document.body.appendChild(document.createElement("div"));

const teller =
  (options: Options, isOver: () => boolean): Tell =>
  (name, ...values) => {
    const callback = options[name] as ((...given: typeof values) => unknown) | undefined;
    if (isOver()) return undefined;
    try {
      return callback?.(...values);
    } catch (error) {
      console.error(`Lanyap: ${name} failed`, error);
      return undefined;
    }
  };

/** Requests offers and shows them. It never throws: errors go to `onError` or, without that, to the console. */
export const start = (base: string, options: Options, otherwise: () => Element = atEndOfPage): Handle => {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const tell = teller(options, isOver);
  const handle: Handle = { destroy: () => over.abort() };

  const run = async () => {
    const { publicKey, placementId } = options;
    if (!publicKey || !placementId) throw problem("OPTIONS", "publicKey and placementId are required");
    const container = await placeFor(options, otherwise);
    if (isOver()) return;
    running.get(container)?.destroy();
    running.set(container, handle);
    const answer = await askOffers(base, options, over.signal);
    const { offers, isTestMode, adDisplayDelay, templateData, reason } = answer;
    if (isOver()) return;
    if (offers.length === 0) {
      tell("onEmpty", reason);
      return;
    }
    tell("onReady", { count: offers.length, isTestMode });
    const texts = textsOf(localeOf(options), templateData.brandName);
    // Building the frame before the pause splits the work into two short tasks.
    const frame = makeFrame(answer, texts);
    await pause(adDisplayDelay);
    if (isOver()) return;
    const stop = showOffers(container, frame, answer, texts, tell);
    // A callback may have called destroy().
    if (isOver()) stop();
    else over.signal.addEventListener("abort", stop);
  };

  run().catch((error: unknown) => {
    if (isOver()) return;
    const known = isProblem(error) ? error : problem("UNEXPECTED", String(error));
    if (options.onError) tell("onError", known);
    else console.warn(`Lanyap: ${known.message}`);
  });
  return handle;
};
