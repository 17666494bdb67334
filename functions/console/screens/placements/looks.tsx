import type { Placement } from "#client";
import type { JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { useState } from "preact/hooks";
import { ANSWER_DEFAULTS } from "../../../core/template.ts";
import { api } from "../../api/client.ts";
import { useAnew, useRead } from "../../api/use.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { Preview } from "../../blocks/preview.tsx";
import {
  fieldText,
  fieldValue,
  LOOK_GROUPS,
  LOOKS,
  shownText,
  valueAt,
  withValue,
  wrongOf,
  type Look,
} from "../../core/looks.ts";
import { isSame } from "../../core/same.ts";
import { Bones } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { Select, Text, type Choice } from "../../parts/fields/field.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";

type Json = Record<string, unknown>;

const DEFAULTS: Json = { ...ANSWER_DEFAULTS.templateData, adDisplayDelay: ANSWER_DEFAULTS.adDisplayDelay };

const FLAGS: Record<string, string> = { true: "Shown", false: "Hidden" };

const choicesOf = (look: Look): Choice[] => {
  const usual = fieldText(look, valueAt(DEFAULTS, look.path));
  const values = look.kind === "flag" ? ["true", "false"] : (look.choices ?? []);
  const text = (value: string) => (look.kind === "flag" ? (FLAGS[value] ?? value) : value);
  return [["", `Default (${text(usual).toLowerCase()})`], ...values.map((value): Choice => [value, text(value)])];
};

const LookField = ({
  look,
  data,
  error,
  onChange,
}: {
  look: Look;
  data: Json;
  error: string | undefined;
  onChange: (data: Json) => void;
}): JSX.Element => {
  const value = valueAt(data, look.path);
  const [typed, setTyped] = useState(fieldText(look, value));
  const common = {
    label: look.text,
    value: shownText(look, value, typed),
    onChange: (text: string) => {
      setTyped(text);
      onChange(withValue(data, look.path, fieldValue(look, text)));
    },
    error,
    hint: look.hint,
  };
  if (look.kind === "flag" || look.kind === "choice") return <Select {...common} choices={choicesOf(look)} />;
  if (look.kind === "milliseconds") return <Text {...common} type="number" min={0} max={60_000} placeholder="0" />;
  const usual = fieldText(look, valueAt(DEFAULTS, look.path));
  return <Text {...common} type={look.kind === "url" ? "url" : "text"} maxLength={2_000} placeholder={usual} />;
};

const Editor = ({
  placement,
  siteName,
  etag,
  onSaved,
  onReload,
}: {
  placement: Placement;
  siteName: string;
  etag: string | null;
  onSaved: () => void;
  onReload: () => void;
}): JSX.Element => {
  // This is what is changed, and its version: as read, or as answered to the last change.
  const [base, setBase] = useState<{ data: Json; etag: string | null }>({ data: placement.data, etag });
  const [data, setData] = useState<Json>(base.data);
  const [isPhone, setPhone] = useState(false);
  const [isDark, setDark] = useState(false);
  const editing = useEditing(base.etag);
  const may = mayChange(useWho());
  const isChanged = !isSame(data, base.data);
  const takeOver = (next: typeof base, replaced: Json): void => {
    setBase(next);
    setData((now) => (isSame(now, replaced) ? next.data : now));
  };
  // Somebody else's change is taken over by itself only if there is none here; otherwise saving asks what to do.
  useAnew(etag ?? "", () => {
    if (!isChanged) takeOver({ data: placement.data, etag }, data);
  });
  const save = (): Promise<void> =>
    editing.save(
      (version) => api.updatePlacement(placement.id, { data }, version),
      (saved, version) => {
        takeOver({ data: saved.data, etag: version }, data);
        say("Saved. Pages show it within a minute or two.");
        onSaved();
      },
    );
  return (
    <form
      class="looks"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset class="stack" disabled={!may}>
        {!may && <p class="note">Your token is read-only: you cannot change anything here.</p>}
        {LOOK_GROUPS.map((group) => (
          <Card title={group} key={group}>
            <div class="stack">
              {LOOKS.filter((look) => look.group === group).map((look) => (
                <LookField
                  key={look.path}
                  look={look}
                  data={data}
                  error={wrongOf(editing.wrong, look)}
                  onChange={setData}
                />
              ))}
            </div>
          </Card>
        ))}
        {may && (
          <FormEnd editing={editing} onReload={onReload} isReady={isChanged} isChanged={isChanged}>
            <Button
              isOff={!isChanged}
              onPress={() => {
                setData(base.data);
                editing.clear();
              }}
            >
              Discard changes
            </Button>
          </FormEnd>
        )}
      </fieldset>
      <div class="aside">
        <Card
          title="Preview"
          actions={
            <>
              <button type="button" class="button little" onClick={() => setPhone(!isPhone)}>
                {isPhone ? "Show wide" : "Show on a phone"}
              </button>
              <button type="button" class="button little" onClick={() => setDark(!isDark)}>
                {isDark ? "Show light" : "Show dark"}
              </button>
            </>
          }
        >
          <div class="stack tight">
            <p class="muted small">
              The real script with two sample offers, without the wait before they appear. Nothing is counted; nobody
              sees what you set until you save it.
            </p>
            <Preview data={data} siteName={siteName} isPhone={isPhone} isDark={isDark} />
          </div>
        </Card>
      </div>
    </form>
  );
};

/** Shows how the offers of a placement look, and changes that. */
export const Looks = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const { data, etag, error, reload } = useRead("getPlacement", id);
  // This counts how often the user took what somebody else had saved, in place of their own changes.
  const [turn, setTurn] = useState(0);
  const listed = useRead("listPlacementDirectory", { id }).data?.[0];
  const crumbs = [
    { href: "/console/placements", text: "Placements" },
    { href: `/console/placements/${id}`, text: data?.name ?? "Placement" },
  ];
  return (
    <Page title="How offers look" crumbs={crumbs}>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={10} />}
      {data && (
        <Editor
          key={turn}
          placement={data}
          etag={etag}
          siteName={listed?.siteName ?? "Your shop"}
          onSaved={reload}
          onReload={() => {
            setTurn(turn + 1);
            reload();
          }}
        />
      )}
    </Page>
  );
};
