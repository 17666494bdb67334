import type { CallOptions } from "#client";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { runBulk, type Item, type Progress } from "../api/bulk.ts";
import { count } from "../core/format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ListCard } from "../parts/list.tsx";

/** Describes what may be done to all that are ticked. */
export type Action<Row> = { text: string; change: (row: Row, options: CallOptions) => Promise<unknown> };

type Running = { text: string; items: Item[] };

const BulkDialog = ({ running, onClose }: { running: Running; onClose: () => void }): JSX.Element => {
  const [progress, setProgress] = useState<Progress>({ done: 0, failed: [], waiting: null });
  const [isOver, setOver] = useState(false);
  const over = useRef(new AbortController());
  useEffect(() => {
    void runBulk(running.items, setProgress, over.current.signal).then(() => setOver(true));
    return () => over.current.abort();
  }, []);
  const { done, failed, waiting } = progress;
  const all = running.items.length;
  return (
    <Dialog title={running.text} onClose={onClose} mayLeave={isOver}>
      <div class="stack">
        <progress value={done} max={all} aria-label={running.text} />
        <p role="status">
          {count(done)} of {count(all)}
          {isOver && (failed.length === 0 && done === all ? ": all done." : `: ${failed.length} refused.`)}
          {!isOver && waiting !== null && (
            <>
              {" "}
              The service allows no more changes this minute. It goes on by itself in {waiting} seconds; leave this page
              open.
            </>
          )}
        </p>
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
            <button type="button" class="button main-action" onClick={onClose}>
              Close
            </button>
          ) : (
            <button type="button" class="button" onClick={() => over.current.abort()}>
              Stop
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
};

/** Offers what may be done to all rows that are ticked. */
const BulkBar = <Row extends { id: string; name: string }>({
  rows,
  actions,
  onDone,
}: {
  rows: readonly Row[];
  actions: readonly Action<Row>[];
  onDone: () => void;
}): JSX.Element | null => {
  const [running, setRunning] = useState<Running | null>(null);
  if (rows.length === 0 && !running) return null;
  return (
    <div class="tools" role="group" aria-label="What is ticked">
      <strong>{count(rows.length)} ticked</strong>
      {actions.map(({ text, change }) => (
        <button
          key={text}
          type="button"
          class="button little"
          onClick={() =>
            setRunning({
              text: `${text}: ${rows.length}`,
              items: rows.map((row) => ({
                id: row.id,
                name: row.name,
                change: (options) => change(row, options),
              })),
            })
          }
        >
          {text}
        </button>
      ))}
      {running && (
        <BulkDialog
          running={running}
          onClose={() => {
            setRunning(null);
            onDone();
          }}
        />
      )}
    </div>
  );
};

/** Shows a list whose rows may be ticked, for what may be done to all of them; nothing is ticked without actions. */
export const TickedList = <Row extends { id: string; name: string }>({
  actions,
  ...card
}: Parameters<typeof ListCard<Row>>[0] & { actions: readonly Action<Row>[] | null }): JSX.Element => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  if (!actions) return <ListCard {...card} />;
  const { data, reload } = card.list.read;
  const rows = data ?? [];
  return (
    <ListCard
      {...card}
      ticks={{ ids, set: setIds, label: (id) => rows.find((row) => row.id === id)?.name ?? id }}
      bulk={
        <BulkBar
          rows={rows.filter(({ id }) => ids.has(id))}
          actions={actions}
          onDone={() => {
            setIds(new Set());
            reload();
          }}
        />
      }
    />
  );
};
