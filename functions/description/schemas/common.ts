import * as z from "zod";

/** Names the schemas that the description has as components. */
export const components = z.registry<{ id: string }>();

/** Gives a schema the name that it has in the description. */
export const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  components.add(schema, { id });
  return schema;
};

/** Describes an object of exactly these members. */
export const object = z.strictObject;

/** Maps the kinds of things to the pattern of their ids. */
const IDS = {
  platform: /^plat_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  publisher: /^pub_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  site: /^site_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  placement: /^plc_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  advertiser: /^adv_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  offer: /^ofr_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  creative: /^crv_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  token: /^tok_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  event: /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
} as const;

/** Describes the id of a kind of thing. */
export const idOf = (entity: keyof typeof IDS) => z.string().regex(IDS[entity]);

/** Describes a time: ISO 8601 in UTC with milliseconds. */
export const time = () => z.iso.datetime({ precision: 3 });

/** Describes a UTC day. */
export const day = () => z.iso.date();

/** Describes a number of things. */
export const count = () => z.int().min(0);

/** Describes a member that a change accepts back, so that what was read may be sent as it is. */
export const READ_BACK = "May be sent back as it was read; it is ignored.";

/** Describes members that a body may have because its resource has them. */
export const readBack = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, z.unknown().optional().describe(READ_BACK)]));

/** Describes a value for tests and readers, but accepts any type in `tsc`, because the handler's types say less. */
export const loosely = (schema: z.ZodType): z.ZodType => schema;

/** Describes a success of management that answers something. */
export const found = <Data extends z.ZodType>(data: Data) => object({ success: z.literal(true), data });

/** Describes a success of management that changed something. */
export const changed = <Data extends z.ZodType>(data: Data) =>
  object({ success: z.literal(true), data, message: z.string() });

/** Describes a success of management that answers only a message. */
export const done = () => object({ success: z.literal(true), message: z.string() });

const pagination = named("Pagination", object({ total: count(), skip: count(), take: count(), hasMore: z.boolean() }));

/** Describes a page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  object({ success: z.literal(true), data: z.array(item), pagination });
