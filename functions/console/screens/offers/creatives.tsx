import { dayParameter } from "../../../core/days.ts";
import type { CreateCreativeBody, Creative, Offer, ReportRow } from "#client";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { EditDialog } from "../../blocks/edit-dialog.tsx";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { States, type State } from "../../blocks/changing/states.tsx";
import { count, percent } from "../../core/format.ts";
import { changedBody, creativeBody, creativeFields, intervalOf, wrongFields } from "../../core/offers/offer.ts";
import { isSame } from "../../core/same.ts";
import { Badge, Status } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog, useDialog } from "../../parts/dialog.tsx";
import { Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { useUndone } from "../../parts/undone.ts";
import { fieldOf, ShownFields, type Form } from "./editing/fields.tsx";

/** Limits how many creatives of an offer are not archived, including its own texts. */
const MOST = 4;

const CreativeForm = ({
  offerId,
  creative,
  etag,
  onSaved,
  onReload,
  onClose,
}: {
  offerId: string;
  creative: Creative | null;
  etag: string | null;
  onSaved: () => void;
  onReload: () => void;
  onClose: () => void;
}): JSX.Element => {
  const before = useMemo(() => creativeFields(creative ?? {}), [creative]);
  const [fields, setFields] = useState(before);
  const editing = useEditing(etag);
  const form: Form = {
    fields,
    set: (name, value) => setFields((now) => ({ ...now, [name]: value })),
    wrong: wrongFields(editing.wrong),
  };
  const body = creative ? changedBody(creativeBody(fields), creativeBody(before)) : creativeBody(fields);
  const save = (): Promise<void> =>
    creative
      ? editing.save((version) => api.updateCreative(offerId, creative.id, body, version), onSaved)
      : editing.save(() => api.createCreative(offerId, body as CreateCreativeBody), onSaved);
  return (
    <ClosingForm isBusy={editing.isBusy} onSend={save}>
      <ShownFields form={form} />
      <Text {...fieldOf(form, "weight")} type="number" min={0} max={100} isRequired hint="0 means not shown" />
      <FormEnd
        editing={editing}
        onReload={onReload}
        onCancel={onClose}
        action={creative ? "Save" : "Add"}
        isChanged={!isSame(fields, before)}
        isReady={Object.keys(body).length > 0}
      />
    </ClosingForm>
  );
};

const EditCreative = ({
  offerId,
  id,
  onSaved,
  onClose,
}: {
  offerId: string;
  id: string;
  onSaved: () => void;
  onClose: () => void;
}) => (
  <EditDialog
    title="Edit the creative"
    isWide
    of={useRead("getCreative", offerId, id)}
    onClose={onClose}
    form={(creative, edited) => <CreativeForm {...edited} offerId={offerId} creative={creative} onSaved={onSaved} />}
  />
);

/** Shows how often a creative was clicked, with the interval of its rate. */
const Rate = ({ of }: { of: ReportRow | undefined }): JSX.Element => {
  const interval = of && intervalOf(of.clicks, of.impressions);
  if (!of || !interval) return <span class="muted">Not shown yet</span>;
  return (
    <>
      <strong>{percent(of.clicks / of.impressions)}</strong>
      <span class="under">
        {percent(interval.low)} to {percent(interval.high)}, of {count(of.impressions)} impressions
      </span>
    </>
  );
};

/** Shows an offer's creatives with the rates at which each was clicked in the last 30 days. */
export const Creatives = ({ offer }: { offer: Offer }): JSX.Element => {
  const { id: offerId } = offer;
  const { data, error, reload, put } = useRead("listCreatives", offerId);
  useUndone(reload);
  const show = (id: string) => (status: State) =>
    put((data ?? []).map((one) => (one.id === id ? Object.assign({}, one, { status }) : one)));
  const [open, setOpen, close] = useDialog<{ id: string | null }>();
  const now = Date.now();
  const counted = useRead("getReport", {
    reportType: "CREATIVE",
    offerId,
    dateStart: dayParameter(now, 29),
    dateEnd: dayParameter(now),
  }).data;
  const saved = (text: string) => () => {
    close();
    say(text);
    reload();
  };
  const all = [
    { id: "", number: 1, name: "The offer’s own texts", weight: offer.creativeWeight, status: offer.status },
    ...(data ?? []),
  ];
  const live = all.filter(({ status }) => status !== "archived").length;
  return (
    <Card
      title="Creatives"
      actions={
        <Button look="little" isOff={live >= MOST} onPress={() => setOpen({ id: null })}>
          Add a creative
        </Button>
      }
    >
      {error && <ProblemNote of={error} retry={reload} />}
      <p class="muted small">
        {offer.creativeSplit === "LEARNED"
          ? "Most sessions see the one that does best"
          : "Sessions are split by weight"}
        . CTR of the last 30 days, with its 95% interval: where intervals overlap, nobody knows yet which is better.
        {live >= MOST && ` ${MOST} is the most: archive one to add another.`}
      </p>
      <ul class="lines">
        {all.map(({ id, number, name, weight, status }) => (
          <li key={number}>
            <span class="grow">
              <span class="muted">{number}</span> <strong dir="auto">{name}</strong>
              <span class="row tight">
                <Status of={status} />
                <Badge>Weight {weight}</Badge>
              </span>
            </span>
            <span class="grow">
              <Rate of={counted?.find(({ creative }) => creative === number)} />
            </span>
            {id !== "" && (
              <span class="row">
                {status !== "archived" && (
                  <button type="button" class="button little" onClick={() => setOpen({ id })}>
                    Edit
                  </button>
                )}
                <States
                  set={(next, why) => api.updateCreativeStatus(offerId, id, { status: next, ...why })}
                  show={show(id)}
                  what="creative"
                  name={name}
                  status={status}
                  onChanged={reload}
                >
                  From the next answer on, nobody sees <strong dir="auto">{name}</strong>.
                </States>
              </span>
            )}
          </li>
        ))}
      </ul>
      {open && open.id !== null && (
        <EditCreative offerId={offerId} id={open.id} onSaved={saved("Saved.")} onClose={close} />
      )}
      {open && open.id === null && (
        <Dialog title="New creative" onClose={close} isWide>
          <CreativeForm
            offerId={offerId}
            creative={null}
            etag={null}
            onSaved={saved("The creative was added.")}
            onReload={() => undefined}
            onClose={close}
          />
        </Dialog>
      )}
    </Card>
  );
};
