import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Principal } from "../../api/session.ts";
import { useRead } from "../../api/use.ts";
import { Pick, type Pickable } from "../../blocks/pick.tsx";
import type { Figure } from "../../core/reports/figures.ts";
import {
  addDays,
  apiDay,
  beginningOn,
  endingOn,
  isoDay,
  isRunning,
  lastDays,
  type Period,
} from "../../core/reports/period.ts";
import { GROUPS, nameOf, ONLY, onlyOf } from "../../core/reports/report.ts";
import { Chip } from "../../parts/chip.tsx";
import { Select, Text, type Choice } from "../../parts/fields/field.tsx";
import { When } from "../../parts/when.tsx";
import type { Asked } from "./asked.ts";

const PRESETS = [7, 30, 90] as const;
const PICKABLE: readonly Pickable[] = ["publisher", "site", "placement", "offer"];

/** Shows the days of a report, and changes them. */
export const Days = ({ period, onChange }: { period: Period; onChange: (period: Period) => void }): JSX.Element => {
  const now = Date.now();
  const chosen = PRESETS.find((days) => {
    const { from, to } = lastDays(now, days);
    return from === period.from && to === period.to;
  });
  return (
    <>
      <Select
        label="Period"
        value={chosen ? String(chosen) : ""}
        onChange={(days) => days !== "" && onChange(lastDays(now, Number(days)))}
        choices={[
          ...(chosen ? [] : [["", "Custom"] as const]),
          ...PRESETS.map((days): Choice => [String(days), `Last ${days} days`]),
        ]}
      />
      <When label="From (UTC)" value={period.from} onTake={(from) => onChange(beginningOn(period, from))} />
      <When label="To (UTC)" value={period.to} onTake={(to) => onChange(endingOn(period, to))} />
    </>
  );
};

/** Says that the last day of a period is not over, and offers to leave it out. */
const Running = ({ asked: { period, other, change } }: { asked: Asked }): JSX.Element | null => {
  const now = Date.now();
  if (!isRunning(period, now)) return null;
  return (
    <p class="row small whole">
      <span class="muted">
        Today is not over.
        {other && " Rows compare what it has so far with a whole day; the figures above them compare whole days."}
      </span>
      <button
        type="button"
        class="button little plain"
        onClick={() => change(endingOn(period, addDays(isoDay(now), -1)))}
      >
        Leave today out
      </button>
    </p>
  );
};

/** Shows what a report is limited to, by name if that is given or the report knows it. */
const Only = ({ asked, name, known }: { asked: Asked; name: (typeof ONLY)[number]; known: string | undefined }) => {
  const group = GROUPS.find(([candidate]) => onlyOf(candidate) === name) ?? GROUPS[0];
  const id = asked.filters[name] ?? "";
  const { data } = useRead(known === undefined ? "getReport" : null, {
    reportType: group?.[0],
    [name]: id,
    dateStart: apiDay(asked.period.from),
    dateEnd: apiDay(asked.period.to),
  });
  const row = data?.[0];
  const text = known ?? (row && group ? nameOf(row, group[0]) : id);
  return <Chip text={`${group?.[1] ?? ""}: ${text}`} onRemove={() => asked.change({ [name]: "" })} />;
};

/** Limits a report to one country as soon as its two letters are there, and to none when they are gone. */
const Country = ({ asked: { filters, change } }: { asked: Asked }): JSX.Element => {
  const kept = filters["country"] ?? "";
  const [typed, setTyped] = useState(kept);
  useEffect(() => setTyped(kept), [kept]);
  const set = (text: string): void => {
    const code = text.trim().toUpperCase();
    setTyped(code);
    if (code.length !== 1) change({ country: code });
  };
  return (
    <Text
      label="Country"
      placeholder="All, or DE"
      maxLength={2}
      value={typed}
      onChange={set}
      // One letter is not a country: the field shows again what the report is limited to.
      on={{ onBlur: () => setTyped(kept) }}
    />
  );
};

/** Shows what a report is about, and lets the user change it; all of it is in the address. */
export const Tools = ({
  asked,
  who,
  figures,
  names,
  onName,
}: {
  asked: Asked;
  who: Principal;
  figures: readonly Figure[];
  names: Record<string, string>;
  onName: (id: string, name: string) => void;
}): JSX.Element => {
  const [picking, setPicking] = useState<Pickable | null>(null);
  const { change, filters, groups, per, period, sort } = asked;
  const mine = GROUPS.filter(([group]) => group !== "PUBLISHER" || who.kind !== "publisher");
  const choices = mine.map(([group, text]): Choice => [group, `By ${text.toLowerCase()}`]);
  const [by = "TOTAL", and = ""] = groups.filter((group) => group !== "OFFER" || !groups.includes("CREATIVE"));
  const against = filters["against"] ?? "";
  return (
    <>
      <Days period={period} onChange={change} />
      <Select
        label="Compare with"
        value={against === "" || against === "before" ? against : "other"}
        onChange={(next) => change({ against: next === "other" ? (asked.other ?? period).from : next })}
        choices={[
          ["", "Nothing"],
          ["before", "The period before"],
          ["other", "Another period"],
        ]}
      />
      {against !== "" && against !== "before" && (
        <When label="Beginning on (UTC)" value={against} onTake={(from) => change({ against: from })} />
      )}
      <Select
        label="Rows"
        value={by}
        onChange={(next) => change({ by: next, and: "" })}
        choices={[["TOTAL", "All together"], ...choices]}
      />
      {by !== "TOTAL" && (
        <Select
          label="Split further"
          value={and}
          onChange={(next) => change({ and: next })}
          choices={[["", "Not split further"], ...choices.filter(([group]) => group !== by)]}
        />
      )}
      <Select
        label="Broken down"
        value={per}
        onChange={(next) => change({ per: next })}
        choices={[
          ["", "Not by time"],
          ["DAY", "By day"],
          ["WEEK", "By week"],
          ["MONTH", "By month"],
        ]}
      />
      <Select
        label="Order"
        // Rows split differently may lack the figure that was chosen for others.
        value={figures.find(({ key }) => key === sort?.key)?.key ?? ""}
        onChange={(next) => change({ sort: next })}
        choices={[
          ["", per === "" ? "Default order" : "By time"],
          ...figures.map(({ key, text }): Choice => [key, `${text}, highest first`]),
        ]}
      />
      <Country asked={asked} />
      <Running asked={asked} />
      <div class="row" role="group" aria-label="Keep to">
        {ONLY.filter((name) => name !== "country" && filters[name]).map((name) => (
          <Only key={name + filters[name]} asked={asked} name={name} known={names[filters[name] ?? ""]} />
        ))}
        {PICKABLE.filter((what) => !filters[`${what}Id`] && (what !== "publisher" || who.kind !== "publisher")).map(
          (what) => (
            <button key={what} type="button" class="button little" onClick={() => setPicking(what)}>
              One {what} …
            </button>
          ),
        )}
      </div>
      {picking && (
        <Pick
          what={picking}
          onClose={() => setPicking(null)}
          onPick={({ id, name }) => {
            onName(id, name);
            setPicking(null);
            change({ [`${picking}Id`]: id });
          }}
        />
      )}
    </>
  );
};
