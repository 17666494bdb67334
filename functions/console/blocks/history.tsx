import type { AuditRecord } from "#client";
import type { JSX } from "preact";
import { session } from "../api/session.ts";
import { useAnew, useRead } from "../api/use.ts";
import { changesOf } from "../core/diff.ts";
import { addressOf } from "../core/filters.ts";
import { labelOf } from "../core/labels.ts";
import { useStore } from "../core/store.ts";
import { Bones, Time } from "../parts/bits.tsx";
import { Card } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";

const ACTIONS = { create: "created", update: "changed", delete: "deleted", erase: "forgot a customer of" } as const;
const KINDS: Record<string, string> = {
  admin: "The administrator",
  platform: "The platform",
  publisher: "The publisher",
};
const MOST = 10;

type Kind = AuditRecord["resource"]["kind"];

/** Leads to the changes of what belongs to something, which are not changes of the thing itself. */
const Parts = ({ resource, id }: { resource: Kind; id: string }): JSX.Element | null => {
  const audit = (kind: Kind, filters = {}) => addressOf("/console/audit", { resource: kind, ...filters });
  if (resource === "offer") {
    return (
      <p class="muted small">
        Changes to creatives are under <a href={audit("creative")}>Audit</a>.
      </p>
    );
  }
  if (resource !== "publisher") return null;
  return (
    <p class="muted small">
      Changes to its <a href={audit("token", { publisherId: id })}>private tokens</a> and{" "}
      <a href={audit("publicKey", { publisherId: id })}>public keys</a> are under Audit.
    </p>
  );
};

/** Shows what a change changed: each member as it was and as it became. */
export const Diff = ({ of: { before, after } }: { of: AuditRecord }): JSX.Element => (
  <dl class="diff">
    {changesOf(before, after).map(({ name, before: was, after: is }) => (
      <>
        <dt key={`${name}-name`}>{labelOf(name)}</dt>
        <dd key={name} dir="auto">
          {was !== null && <del>{was}</del>}
          {was !== null && is !== null && <span aria-label="became"> → </span>}
          {is !== null && <ins>{is}</ins>}
        </dd>
      </>
    ))}
  </dl>
);

/** Shows the reason for a change, if one was given. */
export const Reason = ({ of: { reason } }: { of: AuditRecord }): JSX.Element | null =>
  reason === null ? null : (
    <span class="under" dir="auto">
      Reason: {reason}
    </span>
  );

/** Names who acted. */
export const Actor = ({ of: { actor } }: { of: AuditRecord }): JSX.Element => {
  const who = useStore(session)?.who;
  const isMe = who?.kind === actor.kind && who.id === actor.id;
  return (
    <strong title={actor.id ?? ""}>
      {KINDS[actor.kind] ?? actor.kind}
      {isMe && " (you)"}
    </strong>
  );
};

/** Shows who changed something last, and what. */
export const History = ({
  resource,
  id,
  version,
}: {
  resource: Kind;
  id: string;
  /** Reads again when it differs, because what is shown was changed. */
  version?: string | number | undefined;
}): JSX.Element => {
  const { data, error, pagination, reload } = useRead("listAudit", { resource, id, take: MOST });
  useAnew(version, reload);
  return (
    <Card title="History">
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={3} />}
      {data?.length === 0 && (
        <p class="muted">
          Nobody has changed the {resource} itself in the last 400 days. Every change is kept here, with who made it.
        </p>
      )}
      <ul class="lines">
        {data?.map((record) => (
          <li key={record.id}>
            <div class="grow">
              <Actor of={record} /> {ACTIONS[record.action]} this{" "}
              <span class="muted">
                <Time at={record.createdAt} />
              </span>
              {record.action === "update" && <Diff of={record} />}
              <Reason of={record} />
            </div>
          </li>
        ))}
      </ul>
      {pagination?.hasMore && <p class="muted small">These are the latest {MOST} changes.</p>}
      <Parts resource={resource} id={id} />
    </Card>
  );
};
