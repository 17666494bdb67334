import { askOffers } from "./service/api.ts";
import { element } from "./dom.ts";
import { makeFrame } from "./view/frame.ts";
import { loadWords, notice } from "./service/rare.ts";
import { isProblem, problem, settle, type Options } from "./service/options.ts";
import { pause } from "./service/pause.ts";
import { countOthers, rotate } from "./service/rotation.ts";
import { script } from "./service/script.ts";
import { noteSeen } from "./service/seen.ts";
import { showOffers, type Tell } from "./stage.ts";
import { until } from "./until.ts";
import { keepRoom, releaseUnseen } from "./view/room.ts";
import { textsOf } from "./view/texts.ts";

/** Describes what `Lanyap.init` returns. */
export type Handle = { destroy: () => void };

const running = new WeakMap<Element, Handle>();

const find = (container: Options["container"]): Element | null => {
  try {
    return container instanceof Element ? container : document.querySelector(container || "#lanyap");
  } catch {
    // The text is not a selector.
    return null;
  }
};

/** Adds a place for offers right after a script's tag, or at the end of the page. */
const behind = (tag: Element | null): Element => {
  // The script may be on the page twice: its next start finds this place.
  const place = element("div", { id: "lanyap" });
  if (document.body.contains(tag)) tag?.after(place);
  else document.body.append(place);
  return place;
};

/**
 * Waits for the place where offers go. While the browser only prerenders the page, no customer sees it, so this waits, too.
 *
 * @throws {LanyapError} `CONTAINER` when the page lacks the container that the options name
 */
const placeFor = async ({ container, source }: Options): Promise<Element> => {
  const page: Document & { prerendering?: boolean } = document;
  // Each of several places asks for more offers than it shows, so marked ones wait until all are in the page.
  await until(() => !page.prerendering && (page.readyState !== "loading" || (find(container) ?? source) !== source));
  const place = find(container);
  if (!place && container) throw problem("CONTAINER", "the page has no such container");
  // Another copy of the script, after which the offers go, leaves its start to this one.
  return place ?? behind(source ?? script);
};

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
export const start = (options: Options): Handle => {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const tell = teller(options, isOver);
  const handle: Handle = { destroy: () => over.abort() };

  const run = async () => {
    const { publicKey, placementId } = options;
    if (!script?.src) throw problem("SCRIPT", "it needs a tag with data-public-key");
    // Proxies may log addresses, so only a public key may be in one.
    const isPublic = /^lan_pk_\w/.test(publicKey);
    if (!isPublic || !placementId) throw problem("OPTIONS", "it needs a public key and a placement");
    const container = await placeFor(options);
    if (isOver()) return;
    running.get(container)?.destroy();
    running.set(container, handle);
    keepRoom(container);
    const settled = settle(options);
    const { session, count, locale } = settled;
    if (settled.isWrong) notice(options);
    const others = countOthers(container);
    const [answer, words] = await Promise.all([
      askOffers(options, { ...settled, count: count + others }, over.signal),
      loadWords(locale),
    ]);
    const { isTestMode = false, adDisplayDelay, templateData, reason } = answer;
    if (isOver()) return;
    const offers = rotate(container, answer.offers, count);
    if (offers.length === 0) {
      releaseUnseen(container, over.signal);
      tell("onEmpty", reason);
      return;
    }
    tell("onReady", { count: offers.length, isTestMode });
    const texts = textsOf(locale, templateData.brandName, words);
    // Building the frame before the pause splits the work into two short tasks.
    const frame = makeFrame(answer, texts);
    await pause(adDisplayDelay, over.signal);
    if (isOver() || !container.isConnected) return;
    const stop = showOffers(container, frame, { ...answer, offers }, texts, tell, (id) => noteSeen(session, id));
    // A callback may have called destroy().
    if (isOver()) stop();
    else over.signal.addEventListener("abort", stop);
  };

  run().catch((error: unknown) => {
    if (isOver()) return;
    const place = find(options.container);
    if (place) releaseUnseen(place, over.signal);
    const known = isProblem(error) ? error : problem("UNEXPECTED", String(error));
    if (options.onError) tell("onError", known);
    else notice(options, known);
  });
  return handle;
};
