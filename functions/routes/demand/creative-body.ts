import * as z from "zod";
import type { Creative, CreativeChange, CreativeInput } from "../../../db/demand/creatives.ts";
import { OFFER_STATUSES } from "../../../db/schema/values.ts";
import { ICON_NAMES } from "../../core/icon-names.ts";
import { integer, longText, oneOf, text } from "../../http/input/fields.ts";
import { MAX_URL, publicUrl } from "../../http/input/urls.ts";
import { encodedMacros, MACROS, unknownMacros } from "../../answer/destination.ts";

const MAX_TITLE = 255;
const MAX_BUTTON = 60;
const MAX_ICON_PIXELS = 2000;
const MAX_WEIGHT = 100;
const OWN_ICONS = {
  start: "/icons/",
  paths: ICON_NAMES.map((name) => `/icons/${name}.svg`),
  problem: `is no icon of the service; there is /icons/{name}.svg for ${ICON_NAMES.join(", ")}`,
};

// Macros are checked before the URL is parsed, so that errors name them as they were sent. Encoded ones are checked
// after that: the parser may join what a line break or a tab kept apart.
const destinationUrl = () =>
  text(MAX_URL)
    .superRefine((url, context) => {
      for (const macro of unknownMacros(url)) {
        context.addIssue({ code: "custom", message: `has no macro ${macro}; there are ${MACROS.join(", ")}` });
      }
    })
    .pipe(publicUrl())
    .superRefine((url, context) => {
      for (const macro of encodedMacros(url)) {
        const plain = macro.replace(/%7b/i, "{").replace(/%7d/i, "}");
        context.addIssue({ code: "custom", message: `has ${macro}, which nothing replaces; write ${plain}` });
      }
    });

const icon = () =>
  z.object(
    { url: publicUrl(OWN_ICONS), width: integer(1, MAX_ICON_PIXELS), height: integer(1, MAX_ICON_PIXELS) },
    "must be an object",
  );

/** Checks the weight of a creative among those of its offer. */
export const weight = () => integer(0, MAX_WEIGHT);

/** Makes the fields that each creative of an offer has: what customers see, and where it leads. */
export const shownFields = () => ({
  name: text(),
  title: text(MAX_TITLE),
  header: text(MAX_TITLE),
  description: longText(),
  ctaText: text(MAX_BUTTON),
  declineButtonText: text(MAX_BUTTON),
  termsUrl: publicUrl().nullish(),
  icon: icon().nullish(),
  destinationUrl: destinationUrl(),
});

type Icon = z.output<ReturnType<typeof icon>>;

/** Returns the columns of an icon, which are set together; null clears them. */
export const iconColumns = (picture: Icon | null | undefined) =>
  picture === undefined
    ? {}
    : { iconUrl: picture?.url ?? null, iconWidth: picture?.width ?? null, iconHeight: picture?.height ?? null };

type Shown = Pick<Creative, Exclude<keyof CreativeInput, "weight" | "status">>;

/** Returns what each creative has, in the form of answers. */
export const shownOf = (shown: { [Column in keyof Required<Shown>]: Creative[Column] }) => ({
  name: shown.name,
  title: shown.title,
  header: shown.header,
  description: shown.description,
  ctaText: shown.ctaText,
  declineButtonText: shown.declineButtonText,
  termsUrl: shown.termsUrl,
  icon: shown.iconUrl === null ? null : { url: shown.iconUrl, width: shown.iconWidth, height: shown.iconHeight },
  destinationUrl: shown.destinationUrl,
});

/** Checks a creative as the owner of its offer sends it. */
export const creativeBody = () =>
  z.object({ ...shownFields(), weight: weight().optional(), status: oneOf(OFFER_STATUSES).optional() });

/** Checks the offer of a creative, if a change names it. */
export const ownerField = () => ({ offerId: text().optional() });

/** Checks a change of a creative. */
export const creativeChange = () => creativeBody().extend(ownerField()).partial();

/** Lists the members of a creative that a change may send back as they were read. */
export const READ_ONLY = ["id", "number", "createdAt", "updatedAt"];

export const creativeInput = ({
  icon: picture,
  ...rest
}: z.output<ReturnType<typeof creativeBody>>): CreativeInput => ({
  ...rest,
  ...iconColumns(picture),
});

export const creativeChangeOf = ({
  icon: picture,
  ...rest
}: z.output<ReturnType<typeof creativeChange>>): CreativeChange => ({ ...rest, ...iconColumns(picture) });

/** Returns a creative in the form of answers: as it is sent, with its ids, number and times. */
export const creativeAnswer = (creative: Creative) => ({
  id: creative.id,
  offerId: creative.offerId,
  number: creative.number,
  ...shownOf(creative),
  weight: creative.weight,
  status: creative.status,
  createdAt: creative.createdAt,
  updatedAt: creative.updatedAt,
});
