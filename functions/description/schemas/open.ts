import * as z from "zod";
import { SITE_STATUSES } from "../../../db/schema/values.ts";
import { count, idOf, named, object, time } from "./common.ts";

const offer = named(
  "ServedOffer",
  object({
    bannerId: idOf("offer"),
    title: z.string(),
    header: z.string(),
    description: z.string(),
    ctaText: z.string(),
    declineButtonText: z.string(),
    clickUrl: z.url(),
    beaconUrl: z.url(),
    closeUrl: z.url(),
    termsUrl: z.string().optional(),
    icon: named("ServedIcon", object({ url: z.string(), width: z.int(), height: z.int() })).optional(),
  }),
);
const templateConfig = named(
  "TemplateConfig",
  object({
    iconConfig: named("IconConfig", object({ mobilePosition: z.string(), showIcon: z.boolean() })),
    textConfig: named(
      "TextConfig",
      object({
        titleSize: z.string(),
        subtitleSize: z.string(),
        descriptionSize: z.string(),
        titleTransform: z.string(),
      }),
    ),
    layoutConfig: named(
      "LayoutConfig",
      object({ gridColumnsDesktop: z.array(z.string()), gridColumnsMobile: z.string(), gridGap: z.string() }),
    ),
    buttonConfig: named(
      "ButtonConfig",
      object({
        primaryButtonKind: z.string(),
        primaryButtonAppearance: z.string(),
        buttonLayoutMobile: z.string(),
      }),
    ),
    linksConfig: named("LinksConfig", object({ showTermsLink: z.boolean(), showDisclaimerLink: z.boolean() })),
    footerConfig: named("FooterConfig", object({ showPartnership: z.boolean(), privacyLinkLabel: z.string() })),
  }),
);

/** Describes the answer to a request for offers. */
export const envelope = named(
  "OfferResponse",
  object({
    offers: z.array(offer),
    adDisplayDelay: z.number(),
    isTestMode: z.boolean(),
    siteStatus: z.enum(SITE_STATUSES),
    templateData: named(
      "TemplateData",
      object({
        brandName: z.string(),
        privacyUrl: z.string(),
        brandTemplateImageUrl: z.string(),
        toggleCloseButtonDelay: z.number(),
        showFirstOfferIcon: z.boolean(),
        showPartnership: z.boolean(),
        templateConfig,
      }),
    ),
  }),
);

const checked = () => z.enum(["ok", "failed"]);
const deepHealth = object({
  status: checked(),
  checks: named("HealthChecks", object({ postgres: checked(), kv: checked() })),
  outboxAgeSeconds: count().nullable(),
  deadLetters: count().nullable(),
  cronLastRunAt: time().nullable(),
});
named("DeepHealth", deepHealth);
export const health = z.union([named("Health", object({ status: z.literal("ok") })), deepHealth]);
export const unhealthy = z.union([
  named("WrongSettings", object({ status: z.literal("failed"), settings: z.array(z.string()) })),
  deepHealth,
]);

/** Describes what the service's root answers to programs. */
export const root = named(
  "Root",
  object({
    success: z.literal(true),
    data: named("Links", object({ name: z.string(), about: z.string(), links: z.record(z.string(), z.string()) })),
  }),
);
