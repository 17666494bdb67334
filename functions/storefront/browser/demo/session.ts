/** What happens to an offer, under the names of the report. */
export const HAPPENINGS = ["requests", "impressions", "viewable", "clicks", "closes"] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** How often each of them happened. */
export type Figures = Record<Happening, number>;

const each = (figure: (name: Happening) => number): Figures => ({
  requests: figure("requests"),
  impressions: figure("impressions"),
  viewable: figure("viewable"),
  clicks: figure("clicks"),
  closes: figure("closes"),
});
const nothing = () => each(() => 0);

/**
 * Keeps the figures of a customer's session. The service keeps no counts by session, only a placement's report: what of
 * the report's growth is not owed to earlier sessions of this page is this session's, up to what it sent.
 *
 * @param before the report before this page asked for anything; null when it could not be read
 */
export const keepSession = (before: Partial<Figures> | null) => {
  const addresses = new Set<string>();
  let earlier = nothing();
  let sent = nothing();
  let live = nothing();
  return {
    /** Begins the session of another customer: at zero. */
    begin: (): void => {
      const [past, ended] = [earlier, live];
      earlier = each((name) => past[name] + ended[name]);
      sent = nothing();
      live = nothing();
    },
    /**
     * Notes what was sent. An address counts once however often it is called, but for requests; in test mode nothing does.
     */
    note: (name: Happening, address: string, isTest: boolean): void => {
      if (name !== "requests" && addresses.has(`${name} ${address}`)) return;
      addresses.add(`${name} ${address}`);
      sent[name] += 1;
      if (!isTest) live[name] += 1;
    },
    sent: (): Figures => ({ ...sent }),
    /** What of it is in a report; null when that cannot be known. */
    counted: (report: Partial<Figures>): Figures | null => {
      if (!before) return null;
      const growth = (name: Happening) => (report[name] ?? 0) - (before[name] ?? 0) - earlier[name];
      return each((name) => Math.min(Math.max(growth(name), 0), live[name]));
    },
  };
};
