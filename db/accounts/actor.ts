/** Describes who acts. `elevated` callers may switch sites more often; the two kinds of access show money in reports. */
export type Actor =
  | {
      kind: "publisher";
      publisherId: string;
      elevated: boolean;
      revenueAccess: boolean;
      grossAccess: boolean;
    }
  | { kind: "platform"; platformId: string }
  | { kind: "admin" };

/** Describes a publisher that acts by one of its private tokens. */
export type PublisherActor = Extract<Actor, { kind: "publisher" }>;

/** Describes who manages publishers and demand: a platform what is its own, the administrator everything. */
export type Manager = Extract<Actor, { kind: "platform" | "admin" }>;
