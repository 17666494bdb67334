import type { Answer, Offer } from "./service/answer.ts";
import { renderOffer } from "./view/card.ts";
import { releaseRoom } from "./view/room.ts";
import { renderFoot, type Frame } from "./view/frame.ts";
import type { Options } from "./service/options.ts";
import type { Texts } from "./view/texts.ts";
import { followTheme } from "./view/theme.ts";
import { reportClose, reportDisplay, reportView, type Closing } from "./service/tracking.ts";
import { watchView } from "./view/viewability.ts";

/** Calls one of the page's callbacks. An error in it has no consequences. */
export type Tell = <Name extends `on${string}` & keyof Options>(
  name: Name,
  ...values: Parameters<NonNullable<Options[Name]>>
) => unknown;

/**
 * Puts an answer's frame into a container, shows its offers there one at a time, and reports what the customer does.
 *
 * @param remember is called with the id of each offer that the customer accepts or declines
 * @returns a function that removes everything again
 */
export const showOffers = (
  container: Element,
  { host, shadow, root, card, body, count, close, status }: Frame,
  answer: Answer,
  texts: Texts,
  tell: Tell,
  remember: (id: string) => void,
): (() => void) => {
  const { offers, templateData } = answer;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let index = -1;
  let stopWatching: (() => void) | undefined;

  const later = (action: () => void, ms: number) => timers.push(setTimeout(action, ms));

  const end = () => {
    stopWatching?.();
    const focused = shadow.activeElement;
    card.remove();
    status.textContent = texts.end;
    if (focused) status.focus({ preventScroll: true });
    // A callback may have removed everything. A customer who has just clicked is not surprised that something moves.
    if (host.parentNode) releaseRoom(container);
    tell("onEnd");
  };

  const next = () => {
    // A callback may have removed everything.
    if (!host.parentNode) return;
    stopWatching?.();
    index += 1;
    const offer = offers[index];
    if (offer) show(offer, index);
    else end();
  };

  const show = (offer: Offer, at: number) => {
    const focused = shadow.activeElement;
    const { card: article, accept, decline } = renderOffer(offer, at, templateData, texts);
    const progress = offers.length > 1 ? texts.count(at + 1, offers.length) : "";
    let answered = false;
    /** Passes on only the customer's first answer. Of several fast clicks, those after the first do not count. */
    const answerWith = (action: (event: MouseEvent) => void) => (event: MouseEvent) => {
      if (answered || event.detail > 1) return event.preventDefault();
      answered = true;
      return action(event);
    };
    const accepted = (event: MouseEvent) => {
      remember(offer.bannerId);
      if (tell("onClick", offer, at) === false) event.preventDefault();
      // The browser must follow the link before the offer is replaced.
      later(next, 0);
    };
    accept.addEventListener("click", answerWith(accepted));
    accept.addEventListener("auxclick", (event) => event.button === 1 && answerWith(accepted)(event));
    decline.addEventListener(
      "click",
      answerWith(() => leave(offer, at, "decline")),
    );

    count.textContent = progress;
    status.textContent = "";
    body.textContent = "";
    body.append(article, renderFoot(offer, templateData, texts));
    // A screen reader announces changes of a live region, not the text it begins with.
    if (focused) article.focus({ preventScroll: true });
    else later(() => (status.textContent = `${progress} ${offer.title}`), 150);
    // After declining at the foot of a tall offer, customers would see the same buttons again, but not what they are
    // for.
    if (at) root.querySelector("h2")?.scrollIntoView({ block: "nearest" });

    stopWatching = watchView(
      article,
      () => void reportDisplay(offer.beaconUrl),
      () => {
        void reportView(offer.beaconUrl);
        tell("onView", offer, at);
      },
    );
    tell("onShow", offer, at);
  };

  const leave = (offer: Offer, at: number, reason: Closing) => {
    reportClose(offer.closeUrl, reason);
    if (reason === "decline") remember(offer.bannerId);
    tell("onClose", offer, at, reason);
    if (reason === "close") end();
    else next();
  };

  close.addEventListener("click", () => {
    const offer = offers[index];
    if (offer) leave(offer, index, "close");
  });
  const unfollow = followTheme(container, root);
  container.append(host);
  close.style.visibility = "hidden";
  later(() => (close.style.visibility = ""), templateData.toggleCloseButtonDelay ?? 0);
  next();
  return () => {
    timers.forEach(clearTimeout);
    stopWatching?.();
    unfollow();
    // The page may have removed it, and then the `remove` that old libraries define fails.
    if (host.parentNode) host.remove();
  };
};
