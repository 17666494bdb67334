import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ANSWER_DEFAULTS } from "../../../core/template.ts";
import { laidOver } from "../../core/looks.ts";

type Json = Record<string, unknown>;
type Handle = { destroy: () => void };
type Lanyap = { init: (options: Json) => Handle };

const MARK = "preview";

const sample = (at: number, icon: string, header: string, title: string, description: string, ctaText: string) => ({
  bannerId: `ofr_preview${at}`,
  header,
  title,
  description,
  ctaText,
  declineButtonText: "No, thanks",
  termsUrl: `${location.origin}/privacy`,
  icon: { url: `${location.origin}/icons/${icon}.svg`, width: 96, height: 96 },
  ...Object.fromEntries(
    ["click", "beacon", "close"].map((what) => [
      `${what}Url`,
      `${location.origin}/${what === "beacon" ? "vdata" : what}?t=${MARK}`,
    ]),
  ),
});

const offers = () => [
  sample(
    1,
    "coffee",
    "Picked for you",
    "A bag of freshly roasted coffee, free",
    "Try Brindlecup for two weeks.\nYou only pay for the postage, and you can stop at any time.",
    "Send me the coffee",
  ),
  sample(
    2,
    "tree",
    "A thank-you",
    "We plant a tree for your order",
    "It costs you nothing. You get a picture of the place where it stands.",
    "Plant my tree",
  ),
];

const isOwn = (address: string): boolean => new URL(address, location.href).searchParams.get("t") === MARK;

/** Answers the script in place of the service, so that nothing of the preview is asked for or counted. */
const answerHere = (answer: () => Json): (() => void) => {
  const plainFetch = window.fetch.bind(window);
  const plainBeacon = navigator.sendBeacon.bind(navigator);
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const { pathname, searchParams } = new URL(address, location.href);
    if (pathname === "/api/odata" && searchParams.get("publicKey") === MARK) {
      return new Response(JSON.stringify(answer()), { headers: { "content-type": "application/json" } });
    }
    if (isOwn(address)) return new Response(null, { status: 204 });
    return plainFetch(input, init);
  };
  navigator.sendBeacon = (address, data) => isOwn(String(address)) || plainBeacon(address, data);
  return () => {
    window.fetch = plainFetch;
    navigator.sendBeacon = plainBeacon;
  };
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
const answerOf = (data: Json, siteName: string): Json => {
  const { adDisplayDelay, ...template } = laidOver(
    {
      ...ANSWER_DEFAULTS.templateData,
      adDisplayDelay: 0,
      brandName: siteName,
      privacyUrl: `${location.origin}/privacy`,
      brandTemplateImageUrl: `${location.origin}/icons/brand.svg`,
    },
    data,
  );
  return { ...ANSWER_DEFAULTS, adDisplayDelay, siteStatus: "active", offers: offers(), templateData: template };
};

/** Shows offers by the real script as a placement's `data` says, on a page that is wide or narrow, light or dark. */
export const Preview = ({
  data,
  siteName,
  isPhone,
  isDark,
}: {
  data: Json;
  siteName: string;
  isPhone: boolean;
  isDark: boolean;
}): JSX.Element => {
  const place = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const key = JSON.stringify([data, siteName, isPhone, isDark]);
  useEffect(() => {
    let handle: Handle | undefined;
    let isOver = false;
    const restore = answerHere(() => answerOf(data, siteName));
    const container = document.createElement("div");
    place.current?.replaceChildren(container);
    const show = async (): Promise<void> => {
      try {
        const lanyap = await loadScript();
        if (isOver) return;
        handle = lanyap.init({
          publicKey: MARK,
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
      restore();
    };
  }, [key]);
  return (
    <div class={`shop ${isPhone ? "phone" : "desktop"} ${isDark ? "night" : "day"}`}>
      <p class="shop-line">Thank you for your order!</p>
      {hasFailed && <p class="note bad">The script could not be loaded. Load the page again.</p>}
      <div ref={place} />
    </div>
  );
};
