/** Names what can happen to an offer, as in the report. */
export const HAPPENINGS = ["requests", "impressions", "viewable", "clicks", "closes"] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** Counts each of them. */
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
 * Keeps the figures of a customer's session.
 *
 * The service counts by placement, not by session. What the report has grown by, less what earlier sessions of this page
 * added, belongs to this session, but never more than it sent.
 *
 * @param before the report before this page asked for anything; null when it could not be read
 */
export const keepSession = (before: Partial<Figures> | null) => {
  const addresses = new Set<string>();
  let earlier = nothing();
  let sent = nothing();
  let live = nothing();
  return {
    /** Begins another customer's session, with all figures at zero. */
    begin: (): void => {
      const [past, ended] = [earlier, live];
      earlier = each((name) => past[name] + ended[name]);
      sent = nothing();
      live = nothing();
    },
    /**
     * Notes what was sent. Each address counts once, however often it is called; requests count every time. What is sent
     * in test mode never appears in the report.
     */
    note: (name: Happening, address: string, isTest: boolean): void => {
      if (name !== "requests" && addresses.has(`${name} ${address}`)) return;
      addresses.add(`${name} ${address}`);
      sent[name] += 1;
      if (!isTest) live[name] += 1;
    },
    sent: (): Figures => ({ ...sent }),
    /** Returns what a report has counted of this session; null when that cannot be known. */
    counted: (report: Partial<Figures>): Figures | null => {
      if (!before) return null;
      const growth = (name: Happening) => (report[name] ?? 0) - (before[name] ?? 0) - earlier[name];
      return each((name) => Math.min(Math.max(growth(name), 0), live[name]));
    },
  };
};
