import * as z from "zod";
import { flag, number, oneOf, text } from "../../http/input/fields.ts";
import { webUrl } from "../../http/input/urls.ts";

const MAX_DELAY_MS = 60_000;
const MAX_COLUMNS = 4;

const sizes = () => oneOf(["small", "medium", "large", "xlarge"]);
const delay = () => number().max(MAX_DELAY_MS, `must be at most ${MAX_DELAY_MS} milliseconds`);
const column = () =>
  text(16).regex(/^(?:\d+(?:\.\d+)?(?:fr|px|rem|%)|auto)$/, "must be a column width such as 1fr or 120px");
const members = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape, "must be an object").partial();

/**
 * Makes the schema of what a placement may set for its answers (storefront/README.md, "Every member"): the values that
 * the storefront script can show. Delays are in milliseconds.
 */
export const placementData = () =>
  members({
    adDisplayDelay: delay(),
    brandName: text(),
    privacyUrl: webUrl(),
    brandTemplateImageUrl: webUrl(),
    toggleCloseButtonDelay: delay(),
    showFirstOfferIcon: flag(),
    showPartnership: flag(),
    templateConfig: members({
      iconConfig: members({ mobilePosition: oneOf(["top", "left", "right"]), showIcon: flag() }),
      textConfig: members({
        titleSize: sizes(),
        subtitleSize: sizes(),
        descriptionSize: sizes(),
        titleTransform: oneOf(["none", "uppercase", "lowercase", "capitalize"]),
      }),
      layoutConfig: members({
        gridColumnsDesktop: z
          .array(column(), "must be an array")
          .min(1, "must not be empty")
          .max(MAX_COLUMNS, `must have at most ${MAX_COLUMNS} columns`),
        gridColumnsMobile: column(),
        gridGap: text(16).regex(/^\d+(?:\.\d+)?(?:px|rem|em)$/, "must be a width such as 16px"),
      }),
      buttonConfig: members({
        primaryButtonKind: oneOf(["primary", "secondary", "tertiary"]),
        primaryButtonAppearance: oneOf(["filled", "outline", "text"]),
        buttonLayoutMobile: oneOf(["stacked", "inline"]),
      }),
      linksConfig: members({ showTermsLink: flag(), showDisclaimerLink: flag() }),
      footerConfig: members({ showPartnership: flag(), privacyLinkLabel: text() }),
    }),
  });
