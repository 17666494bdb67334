import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { runBulk, type Item, type Progress } from "../api/bulk.ts";
import { useWrite } from "../api/use.ts";
import { endingOf } from "../core/ending.ts";
import { count, plural } from "../core/format.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ListCard } from "../parts/list.tsx";
import { focusCard } from "../parts/page.tsx";
import { ProblemNote, useCountdown } from "../parts/problem.tsx";
import { say } from "../parts/toasts.tsx";
import { useUnsaved } from "../parts/moving/unsaved.ts";
import { Stop, type Why } from "./changing/stop.tsx";

/** Describes what may be done to all ticked rows. */
export type Action<Row> = {
  text: string;
  /** Says what will happen, if something stops: then the user is asked first, with a reason. */
  asks?: string;
  change: (row: Row, why: Why) => Promise<unknown>;
};

/** Limits how many rows are ticked at once. */
const MOST = 1_000;

type Running = { text: string; items: Item[] };

const BulkDialog = ({
  running: { text, items },
  onClose,
}: {
  running: Running;
  /** Receives the ids of those that were not done. */
  onClose: (left: readonly string[]) => void;
}): JSX.Element => {
  const [progress, setProgress] = useState<Progress>({ done: 0, failed: [], waiting: null });
  const [isOver, setOver] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const over = useRef(new AbortController());
  const all = items.length;
  const title = `${text}: ${count(all)}`;
  useEffect(() => {
    let isLeft = false;
    const work = async (): Promise<void> => {
      const end = await runBulk(items, setProgress, over.current.signal);
      if (isLeft) say(`${text}: ${endingOf(end.done, all, end.failed.length)}`);
      else setOver(true);
    };
    void work();
    return () => {
      isLeft = true;
      over.current.abort();
    };
  }, []);
  useUnsaved(!isOver);
  const { done, failed, waiting } = progress;
  const seconds = useCountdown(waiting);
  const left = [...failed.map(({ item }) => item.id), ...items.slice(done).map(({ id }) => id)];
  const close = (): void => onClose(left);
  const isWaiting = !isOver && waiting !== null;
  return (
    <Dialog title={title} onClose={close} mayLeave={isOver}>
      <div class="stack">
        <progress value={done} max={all} aria-label={title} />
        <p role="status">
          {isOver ? endingOf(done, all, failed.length) : `${count(done)} of ${count(all)}`}
          {isOver && left.length > 0 && " What was not done stays ticked."}
          {isWaiting &&
            " The service allows no more changes this minute. Leave this page open: it will continue by itself."}
        </p>
        {isWaiting && <p class="muted small">Continuing in {plural(seconds, "second")}.</p>}
        {failed.length > 0 && (
          <ul class="lines" aria-label="Refused">
            {failed.map(({ item, problem }) => (
              <li key={item.id}>
                <span class="grow">
                  <strong dir="auto">{item.name}</strong>
                  <span class="under">
                    {problem.message} ({problem.code}
                    {problem.requestId && `, request ${problem.requestId}`})
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
        <div class="actions">
          {isOver ? (
            <button type="button" class="button main-action" onClick={close}>
              Close
            </button>
          ) : (
            <Button
              isOff={isStopping}
              onPress={() => {
                setStopping(true);
                over.current.abort();
              }}
            >
              {isStopping ? "Stopping …" : "Stop"}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};

/** Offers what may be done to all ticked rows, and ticking those of other pages, too. */
const BulkBar = <Row extends { id: string; name: string }>({
  rows,
  one,
  actions,
  more,
  onMore,
  onNone,
  onDone,
}: {
  rows: readonly Row[];
  /** Names one of them. */
  one: string;
  actions: readonly Action<Row>[];
  /** Counts all rows, if there are more than on this page. */
  more: number;
  onMore: () => Promise<void>;
  onNone: () => void;
  /** Receives the ids of those that were not done. */
  onDone: (left: readonly string[]) => void;
}): JSX.Element | null => {
  const [running, setRunning] = useState<Running | null>(null);
  const [asking, setAsking] = useState<Action<Row> | null>(null);
  const { run, isBusy, error } = useWrite();
  const bar = useRef<HTMLDivElement>(null);
  const start = ({ text, change }: Action<Row>, why: Why): void =>
    setRunning({
      text,
      items: rows.map((row) => ({ id: row.id, name: row.name, change: () => change(row, why) })),
    });
  if (rows.length === 0 && !running) return null;
  return (
    <div class="tools" role="group" aria-label="What is ticked" ref={bar}>
      <strong>{count(rows.length)} ticked</strong>
      {Math.min(more, MOST) > rows.length && (
        <Button look="little plain" isOff={isBusy} onPress={() => void run(onMore)}>
          {more > MOST ? `Tick the first ${count(MOST)} of ${count(more)}` : `Tick all ${count(more)}`}
        </Button>
      )}
      {rows.length > 0 && (
        <button type="button" class="button little plain" onClick={onNone}>
          Untick all
        </button>
      )}
      {actions.map((action) => (
        <Button
          key={action.text}
          look="little"
          isOff={isBusy}
          onPress={() => (action.asks === undefined ? start(action, {}) : setAsking(action))}
        >
          {action.text}
          {action.asks !== undefined && " …"}
        </Button>
      ))}
      {error && <ProblemNote of={error} />}
      {asking && (
        <Stop
          title={`${asking.text}: ${plural(rows.length, one)}?`}
          action={asking.text}
          onDone={(why) => {
            setAsking(null);
            start(asking, why);
          }}
          onClose={() => setAsking(null)}
        >
          {asking.asks}
        </Stop>
      )}
      {running && (
        <BulkDialog
          running={running}
          onClose={(left) => {
            // The button that opened the dialog goes with what was ticked.
            const card = bar.current?.closest(".card");
            setRunning(null);
            onDone(left);
            if (card) requestAnimationFrame(() => focusCard(card));
          }}
        />
      )}
    </div>
  );
};

/**
 * Shows a list whose rows may be ticked, across pages, to act on all of them; without actions, nothing can be ticked.
 * Changing filters unticks all.
 */
export const TickedList = <Row extends { id: string; name: string }>({
  actions,
  ...card
}: Parameters<typeof ListCard<Row>>[0] & { actions: readonly Action<Row>[] | null }): JSX.Element => {
  const { filters, read, readAll } = card.list;
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const known = useRef(new Map<string, Row>());
  const unticked = useRef(0);
  const none = () => {
    unticked.current += 1;
    setIds(new Set());
  };
  useEffect(none, [JSON.stringify(filters)]);
  if (!actions) return <ListCard {...card} />;
  for (const row of read.data ?? []) known.current.set(row.id, row);
  const rows = [...ids].flatMap((id) => known.current.get(id) ?? []);
  const isPage = read.data?.every(({ id }) => ids.has(id)) ?? false;
  const tickAll = async (): Promise<void> => {
    const before = unticked.current;
    const all = (await readAll?.(MOST)) ?? [];
    // What was read may be for filters that are no longer set.
    if (unticked.current !== before) return;
    for (const row of all) known.current.set(row.id, row);
    setIds(new Set(all.map(({ id }) => id)));
  };
  return (
    <ListCard
      {...card}
      ticks={{ ids, set: setIds, label: (id) => known.current.get(id)?.name ?? id }}
      bulk={
        <BulkBar
          rows={rows}
          one={card.label.toLowerCase().replace(/s$/, "")}
          actions={actions}
          more={isPage ? (read.pagination?.total ?? 0) : 0}
          onMore={tickAll}
          onNone={none}
          onDone={(left) => {
            unticked.current += 1;
            setIds(new Set(left));
            read.reload();
          }}
        />
      }
    />
  );
};
