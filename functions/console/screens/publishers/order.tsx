import type { PublisherOrder, UpdatePublisherOrderBody } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useAnew, useRead } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { isSame } from "../../core/same.ts";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { Bones } from "../../parts/bits.tsx";
import { Select, Text, type Choice } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";

const MEASURES: readonly Choice[] = [
  ["GROSS", "What they earn"],
  ["REVENUE", "The publisher’s share of that"],
];

/** Returns what the fields hold before any change. */
const fieldsOf = ({ rankBy, holdoutPercent }: PublisherOrder) => ({ rankBy, percent: String(holdoutPercent) });

const Form = ({
  of,
  etag,
  onSaved,
  onReload,
}: {
  of: PublisherOrder;
  etag: string | null;
  onSaved: () => void;
  onReload: () => void;
}): JSX.Element => {
  // This is what is changed, and its version: as read, or as answered to the last change.
  const [base, setBase] = useState({ of, etag });
  const [fields, setFields] = useState(fieldsOf(of));
  const editing = useEditing(base.etag);
  const { rankBy } = fields;
  const percent = fields.percent.trim();
  const unchanged = fieldsOf(base.of);
  const body: UpdatePublisherOrderBody = {
    ...(rankBy !== unchanged.rankBy && { rankBy }),
    ...(percent !== unchanged.percent && { holdoutPercent: Number(percent) }),
  };
  const isChanged = Object.keys(body).length > 0;
  const takeOver = (next: typeof base, replaced: typeof fields): void => {
    setBase(next);
    setFields((now) => (isSame(now, replaced) ? fieldsOf(next.of) : now));
  };
  // The version is the publisher's, so most new versions do not change the order. One that does is taken over by itself
  // only if nothing was typed; otherwise saving asks what to do.
  useAnew(etag ?? "", () => {
    if (!isChanged || isSame(fieldsOf(of), unchanged)) takeOver({ of, etag }, isChanged ? unchanged : fields);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void editing.save(
          (version) => api.updatePublisherOrder(of.id, body, version),
          (saved, version) => {
            takeOver({ of: saved, etag: version }, fields);
            onSaved();
          },
        );
      }}
    >
      <Select
        label="Offers are ordered by"
        value={rankBy}
        onChange={(value) => setFields({ ...fields, rankBy: value === "REVENUE" ? value : "GROSS" })}
        error={editing.wrong["rankBy"]}
        choices={MEASURES}
      />
      <Text
        label="Sessions held out (%)"
        type="number"
        min={0}
        max={50}
        step={1}
        isRequired
        value={fields.percent}
        onChange={(typed) => setFields({ ...fields, percent: typed })}
        error={editing.wrong["holdoutPercent"]}
        hint="They see the order as it was before anything was learned. With 0, you cannot tell what learning earns."
      />
      <FormEnd editing={editing} onReload={onReload} action="Set the order" isReady={isChanged} isChanged={isChanged} />
    </form>
  );
};

/**
 * Shows what the offers of a publisher are ordered by, and how many sessions are held out, and changes both.
 *
 * @param version changes with the publisher, whose version is also that of the order
 */
export const Order = ({
  publisherId,
  version,
  onChanged,
}: {
  publisherId: string;
  version: string;
  onChanged: () => void;
}): JSX.Element => {
  const { data, etag, error, reload } = useRead("getPublisherOrder", publisherId);
  useAnew(version, reload);
  // This counts how often the user took what somebody else had saved, in place of their own changes.
  const [turn, setTurn] = useState(0);
  const may = mayOwn(useWho());
  return (
    <Card title="Order of offers">
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={may ? 8 : 3} />}
      {data && may && (
        <Form
          key={turn}
          of={data}
          etag={etag}
          onReload={() => {
            setTurn(turn + 1);
            reload();
          }}
          onSaved={() => {
            say("Saved. Answers change within minutes.");
            reload();
            onChanged();
          }}
        />
      )}
      {data && !may && (
        <dl class="facts">
          <dt>Ordered by</dt>
          <dd>{MEASURES.find(([value]) => value === data.rankBy)?.[1]}</dd>
          <dt>Held out</dt>
          <dd>{data.holdoutPercent}% of sessions</dd>
        </dl>
      )}
    </Card>
  );
};
