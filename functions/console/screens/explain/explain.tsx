import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { Pick } from "../../blocks/pick.tsx";
import { apiName, assumedOf, FACTS, KEPT, KNOWN } from "../../core/explain.ts";
import { addressOf, readFilters } from "../../core/filters.ts";
import { Bones, Copy, Empty } from "../../parts/bits.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useExplained } from "./explained.ts";
import { Request } from "./request.tsx";
import { useTyped, type Typed } from "./typed.ts";
import { Verdicts } from "./verdicts.tsx";

const SESSION = "console";

/** Returns a request for offers for an unknown customer. */
const bodyOf = ({ sessionId, ...kept }: Typed): Record<string, string> | null =>
  kept["placementId"]
    ? {
        sessionId: sessionId || SESSION,
        "at.orderid": SESSION,
        ...Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => (value ? [[apiName(name), value]] : []))),
      }
    : null;

const Where = ({ id, name, onChoose }: { id: string | undefined; name: string | undefined; onChoose: () => void }) => {
  const isKnown = name !== undefined || id === undefined;
  const found = useRead(isKnown ? null : "listPlacementDirectory", { id }).data?.find((row) => row.id === id);
  return (
    <Card
      title="Placement"
      actions={
        <button type="button" class="button" onClick={onChoose}>
          {id ? "Choose another …" : "Choose a placement …"}
        </button>
      }
    >
      {id ? (
        <p>
          <a href={`/console/placements/${id}`}>
            <strong class="clip" dir="auto">
              {name ?? found?.name ?? id}
            </strong>
          </a>
          <code class="under">{id}</code>
        </p>
      ) : (
        <p class="muted">None yet: choose one, or paste a request.</p>
      )}
    </Card>
  );
};

/** Reads the name of the offer that is asked about, if any, and a placement where it might be shown. */
const useAbout = (offerId: string | undefined, placementId: string | undefined) => {
  const offer = useRead(offerId === undefined ? null : "getOffer", offerId ?? "").data;
  const placements = useRead(offer === null || placementId ? null : "listPlacementDirectory", {
    status: "active",
    isLiveMode: true,
    siteId: offer?.targeting.includeSites[0],
    publisherId: offer?.targeting.includePublishers[0],
    take: 1,
  }).data;
  return { name: offer?.name ?? offerId, placementId: placements?.[0]?.id };
};

/** Shows how a request for offers would be answered, and why, and what changes when one of its facts does. */
export const Explain = (): JSX.Element => {
  const { kind } = useWho();
  const { path, query, route } = useLocation();
  const kept = readFilters(query, KEPT);
  const { placementId } = kept;
  const { offerId } = readFilters(query, KNOWN);
  const about = useAbout(offerId, placementId);
  const [sessionId, setSession] = useState(SESSION);
  const [picked, setPicked] = useState<{ id: string; name: string } | null>(null);
  const [isPicking, setPicking] = useState(false);
  const given: Typed = { ...Object.fromEntries(KEPT.map((name) => [name, kept[name] ?? ""])), sessionId };
  const { typed, set, clear, replace } = useTyped(given);
  const { now, before, error, isLoading, answered, again } = useExplained(bodyOf(given));
  const named = Object.fromEntries(FACTS.map((name) => [name, answered?.[apiName(name)]]));
  const assumed = now ? assumedOf(now, named) : {};
  const ask = ({ sessionId: session = SESSION, ...facts }: Typed): void => {
    clear();
    setSession(session.trim() || SESSION);
    const trimmed = Object.fromEntries(KEPT.map((name) => [name, (facts[name] ?? "").trim()]));
    const next = addressOf(path, { offerId, ...trimmed });
    if (next === addressOf(path, { offerId, ...kept }) && session === sessionId) again();
    else route(next);
  };
  useEffect(() => {
    if (about.placementId && !placementId) {
      replace(addressOf(path, { offerId, ...kept, placementId: about.placementId }));
    }
  }, [about.placementId, placementId]);
  return (
    <Page
      title="Explain"
      actions={
        placementId && (
          <Copy text={location.origin + addressOf(path, { offerId, ...kept })} what="Copy link" isShown={false} />
        )
      }
    >
      {offerId && (
        <div class="row">
          <Chip text={`Offer: ${about.name}`} onRemove={() => replace(addressOf(path, kept))} />
        </div>
      )}
      <Where
        id={placementId}
        name={picked?.id === placementId ? picked?.name : undefined}
        onChoose={() => setPicking(true)}
      />
      <Request typed={typed} assumed={assumed} onType={set} problem={error} isLoading={isLoading} onAsk={ask} />
      {error && <ProblemNote of={error} retry={again} />}
      {isLoading && !now && <Bones lines={8} />}
      {now && (
        <Verdicts
          key={offerId}
          now={now}
          before={before}
          facts={{ ...named, ...assumed }}
          about={offerId}
          isManager={kind !== "publisher"}
          isLoading={isLoading}
          onSeen={(id) => ask({ ...typed, seen: [id, typed["seen"]].filter(Boolean).join(",") })}
        />
      )}
      {!placementId && (
        <Empty title="Why is this offer shown, and that one not?">
          <p>
            Choose a placement, and see each offer with its rank or the one reason against it, its expected rate and its
            value. Then change a fact, such as the country, and see what changes. None of this is counted.
          </p>
        </Empty>
      )}
      {isPicking && (
        <Pick
          what="placement"
          onClose={() => setPicking(false)}
          onPick={(found) => {
            setPicked(found);
            setPicking(false);
            ask({ ...typed, placementId: found.id });
          }}
        />
      )}
    </Page>
  );
};
