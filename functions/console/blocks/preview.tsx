import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ANSWER_DEFAULTS } from "../../core/template.ts";
import { laidOver } from "../core/looks.ts";

type Json = Record<string, unknown>;
type Handle = { destroy: () => void };
type Lanyap = { init: (options: Json) => Handle };

const MARK = "preview";

/** Holds what the preview shows of an offer. */
export type Shown = {
  header: string;
  title: string;
  description: string;
  ctaText: string;
  declineButtonText: string;
  termsUrl?: string | null;
  icon?: { url: string; width: number; height: number } | null;
};

const address = (path: string): string => (path.startsWith("/") ? location.origin + path : path);

/** Returns an offer in the form of answers; its addresses lead nowhere. */
const answered = ({ icon, termsUrl, ...texts }: Shown, at: number) => ({
  ...texts,
  bannerId: `ofr_preview${at}`,
  clickUrl: address(`/click?t=${MARK}`),
  beaconUrl: address(`/vdata?t=${MARK}`),
  closeUrl: address(`/close?t=${MARK}`),
  ...(termsUrl ? { termsUrl } : {}),
  ...(icon?.url ? { icon: { ...icon, url: address(icon.url) } } : {}),
});

const icon = (name: string) => ({ url: `/icons/${name}.svg`, width: 96, height: 96 });

const SAMPLES: readonly Shown[] = [
  {
    header: "Picked for you",
    title: "A bag of freshly roasted coffee, free",
    description: "Try Brindlecup for two weeks.\nYou only pay for the postage, and you can stop at any time.",
    ctaText: "Send me the coffee",
    declineButtonText: "No, thanks",
    termsUrl: "/privacy",
    icon: icon("coffee"),
  },
  {
    header: "A thank-you",
    title: "We plant a tree for your order",
    description: "It costs you nothing. You get a picture of the place where it stands.",
    ctaText: "Plant my tree",
    declineButtonText: "No, thanks",
    termsUrl: "/privacy",
    icon: icon("tree"),
  },
];

const isOwn = (url: string): boolean => new URL(url, location.href).searchParams.get("t") === MARK;

let answer: (() => Json) | null = null;
let isListening = false;

/**
 * Answers the script in place of the service, so that the preview requests and counts nothing. It keeps listening when
 * the preview is gone, since the script may still report on an offer.
 */
const answerHere = (next: () => Json): void => {
  answer = next;
  if (isListening) return;
  isListening = true;
  const plainFetch = window.fetch.bind(window);
  const plainBeacon = navigator.sendBeacon.bind(navigator);
  window.fetch = async (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    const { pathname, searchParams } = new URL(asked, location.href);
    if (pathname === "/api/odata" && searchParams.get("placementId") === MARK) {
      return new Response(JSON.stringify(answer?.()), { headers: { "content-type": "application/json" } });
    }
    if (isOwn(asked)) return new Response(null, { status: 204 });
    return plainFetch(input, init);
  };
  navigator.sendBeacon = (url, data) => isOwn(String(url)) || plainBeacon(url, data);
};

let script: Promise<Lanyap> | undefined;

/** Loads the script that shops' pages load, once. */
const loadScript = (): Promise<Lanyap> => {
  script ??= new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = "/embed.js";
    element.addEventListener("load", () => resolve((window as unknown as { Lanyap: Lanyap }).Lanyap));
    element.addEventListener("error", () => {
      script = undefined;
      reject(new Error("the script could not be loaded"));
    });
    document.head.append(element);
  });
  return script;
};

/** Returns what the service would answer for a placement with this `data`. */
const answerOf = (data: Json, siteName: string, offers: readonly Shown[]): Json => {
  const { adDisplayDelay: _, ...template } = laidOver(
    {
      ...ANSWER_DEFAULTS.templateData,
      brandName: siteName,
      privacyUrl: `${location.origin}/privacy`,
      brandTemplateImageUrl: `${location.origin}/icons/brand.svg`,
    },
    data,
  );
  return {
    ...ANSWER_DEFAULTS,
    // Whoever looks at a preview would take it for empty until the wait is over.
    adDisplayDelay: 0,
    siteStatus: "active",
    offers: offers.map(answered),
    templateData: template,
  };
};

/** Shows offers with the real script as a placement's `data` says, on a page that is wide or narrow, light or dark. */
export const Preview = ({
  data,
  siteName,
  isPhone,
  isDark,
  offers = SAMPLES,
}: {
  data: Json;
  siteName: string;
  isPhone: boolean;
  isDark: boolean;
  /** Holds the offers to show; samples if left out. */
  offers?: readonly Shown[];
}): JSX.Element => {
  const place = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const key = JSON.stringify([data, siteName, isPhone, isDark, offers]);
  useEffect(() => {
    let handle: Handle | undefined;
    let isOver = false;
    answerHere(() => answerOf(data, siteName, offers));
    const container = document.createElement("div");
    place.current?.replaceChildren(container);
    const show = async (): Promise<void> => {
      try {
        const lanyap = await loadScript();
        if (isOver) return;
        handle = lanyap.init({
          publicKey: `lan_pk_${MARK}`,
          placementId: MARK,
          sessionId: `${MARK}-${Math.random()}`,
          container,
          attributes: { orderid: "1001" },
          locale: "en",
          count: 2,
          onClick: () => false,
        });
      } catch {
        setFailed(true);
      }
    };
    void show();
    return () => {
      isOver = true;
      handle?.destroy();
    };
  }, [key]);
  return (
    <div class={`shop ${isPhone ? "phone" : "desktop"} ${isDark ? "night" : "day"}`}>
      <p class="shop-line">Thank you for your order!</p>
      {hasFailed && <p class="note bad">The script could not be loaded. Reload the page.</p>}
      <div ref={place} />
    </div>
  );
};
