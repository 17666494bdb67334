import type { Answer, Offer } from "./service/answer.ts";
import { renderOffer } from "./view/card.ts";
import { renderFoot, type Frame } from "./view/frame.ts";
import type { Options } from "./service/options.ts";
import type { Texts } from "./view/texts.ts";
import { followTheme } from "./view/theme.ts";
import { reportClose, reportDisplay, reportView } from "./service/tracking.ts";
import { watchView } from "./view/viewability.ts";

/** Calls of the page's own functions, which may fail without consequences. */
export type Tell = <Name extends `on${string}` & keyof Options>(
  name: Name,
  ...values: Parameters<NonNullable<Options[Name]>>
) => unknown;

// A screen reader tells what changes in a live region, not what one is born with.
const ANNOUNCE_MS = 150;

/**
 * Shows the offers of an answer in a container, one at a time, in a frame made for it, and reports what the customer does.
 *
 * @returns how to take everything away again
 */
export const showOffers = (
  container: Element,
  { host, shadow, root, card, count, close, status }: Frame,
  answer: Answer,
  texts: Texts,
  tell: Tell,
): (() => void) => {
  const { offers, templateData } = answer;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let index = -1;
  let stopWatching: (() => void) | undefined;

  const later = (action: () => void, ms: number) => timers.push(setTimeout(action, ms));

  const end = () => {
    stopWatching?.();
    const hadFocus = shadow.activeElement !== null;
    card.remove();
    status.textContent = texts.end;
    if (hadFocus) status.focus({ preventScroll: true });
    tell("onEnd");
  };

  const next = () => {
    // What the page was told may have made it take everything away.
    if (!host.parentNode) return;
    stopWatching?.();
    index += 1;
    const offer = offers[index];
    if (offer) show(offer, index);
    else end();
  };

  const show = (offer: Offer, at: number) => {
    const hadFocus = shadow.activeElement !== null;
    const { card: article, accept, decline } = renderOffer(offer, at, templateData, texts);
    const progress = offers.length > 1 ? texts.count(at + 1, offers.length) : "";
    let answered = false;
    /** Takes the first answer only: a second click of a double click is none. */
    const answerWith = (action: (event: MouseEvent) => void) => (event: MouseEvent) => {
      if (answered || event.detail > 1) return event.preventDefault();
      answered = true;
      return action(event);
    };
    const accepted = (event: MouseEvent) => {
      if (tell("onClick", offer, at) === false) event.preventDefault();
      // The browser follows the link first.
      later(next, 0);
    };
    accept.addEventListener("click", answerWith(accepted));
    accept.addEventListener("auxclick", (event) => event.button === 1 && answerWith(accepted)(event));
    decline.addEventListener(
      "click",
      answerWith(() => leave(offer, at, "decline")),
    );

    count.textContent = progress;
    while (card.childNodes.length > 1) card.lastChild?.remove();
    card.append(article, renderFoot(offer, templateData, texts));
    if (hadFocus) article.focus({ preventScroll: true });
    else later(() => (status.textContent = `${progress} ${offer.title}`), ANNOUNCE_MS);

    reportDisplay(offer.beaconUrl);
    stopWatching = watchView(article, () => {
      reportView(offer.beaconUrl);
      tell("onView", offer, at);
    });
    tell("onShow", offer, at);
  };

  const leave = (offer: Offer, at: number, reason: "decline" | "close") => {
    reportClose(offer.closeUrl);
    tell("onClose", offer, at, reason);
    if (reason === "close") end();
    else next();
  };

  close.addEventListener("click", () => {
    const offer = offers[index];
    if (offer) leave(offer, index, "close");
  });
  // First the theme: with offers in the page, asking for a colour would lay all of it out.
  const unfollow = followTheme(container, root);
  container.append(host);
  later(() => close.classList.remove("later"), templateData.toggleCloseButtonDelay);
  next();
  return () => {
    timers.forEach(clearTimeout);
    stopWatching?.();
    unfollow();
    host.remove();
  };
};
