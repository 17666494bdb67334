import type { DeadLetter, Reject } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead, useWrite } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { count } from "../../core/format.ts";
import { Copy, Empty, Time } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toasts.tsx";
import { Waiting } from "./waiting.tsx";

const Message = ({ body }: { body: string }): JSX.Element => (
  <details>
    <summary>The message</summary>
    <pre dir="auto" tabIndex={0} role="group" aria-label="Text of the message">
      {body}
    </pre>
    <Copy text={body} />
  </details>
);

const REJECTS: readonly Column<Reject>[] = [
  {
    title: "Why it was refused",
    cell: ({ reason, id }) => (
      <>
        <span dir="auto">{reason}</span>
        <code class="under">{id}</code>
      </>
    ),
  },
  { title: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Publisher",
    isWide: true,
    cell: ({ publisherId }) =>
      publisherId ? (
        <a href={`/console/publishers/${publisherId}`}>{publisherId}</a>
      ) : (
        <span class="muted">Unknown</span>
      ),
  },
  { title: "Message", cell: ({ body }) => <Message body={body} /> },
];

const LETTERS: readonly Column<DeadLetter>[] = [
  { title: "Id", cell: ({ id }) => <code class="under">{id}</code> },
  {
    title: "Placement",
    isWide: true,
    cell: ({ placementId }) =>
      placementId ? (
        <a href={`/console/placements/${placementId}`}>{placementId}</a>
      ) : (
        <span class="muted">Unknown</span>
      ),
  },
  { title: "Message", cell: ({ body }) => <Message body={body} /> },
];

/** Limits how many messages the API tries again at once. */
const MOST = 100;

const useLetters = (part: { skip: number; take: number }) => useRead("listDeadLetters", part);

/** Shows messages that were not understood, to be tried again, and those that wait to be stored. */
export const MessageLists = (): JSX.Element => {
  const list = useList("listRejects", []);
  const may = mayOwn(useWho());
  const { run, isBusy, error } = useWrite();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [turn, setTurn] = useState(0);
  const replay = async (): Promise<void> => {
    let replayed = 0;
    const all = [...ids];
    for (let from = 0; from < all.length; from += MOST) {
      const part = all.slice(from, from + MOST);
      const answer = await run(() => api.replayRejects({ ids: part }));
      if (!answer) break;
      replayed += answer.data.ids.length;
      setIds((ticked) => new Set([...ticked].filter((id) => !part.includes(id))));
    }
    if (replayed === 0) return;
    say(`${count(replayed)} ${replayed === 1 ? "message" : "messages"} will be tried again within a minute or so.`);
    setTurn((n) => n + 1);
    list.read.reload();
  };
  return (
    <>
      {error && <ProblemNote of={error} retry={() => void replay()} />}
      <ListCard
        label="Rejected messages"
        list={list}
        columns={REJECTS}
        ticks={may ? { ids, set: setIds, label: (id) => `Message ${id}` } : undefined}
        tools={
          <div class="row spread grow">
            <h2>Rejected messages</h2>
            {may && (
              <Button isOff={isBusy || ids.size === 0} onPress={() => void replay()}>
                {ids.size === 0 ? "Try again" : `Try ${count(ids.size)} again`}
              </Button>
            )}
          </div>
        }
        empty={
          <Empty title="Everything was understood">
            <p>
              Messages of the tracking queue that the service does not understand, for instance during an update, are
              kept here for 30 days. Try them again once it understands them.
            </p>
          </Empty>
        }
      />
      <Waiting
        title="Dead letters"
        useRows={useLetters}
        idOf={({ id }) => id}
        columns={LETTERS}
        turn={turn}
        empty="None are waiting. Messages that failed too often to be stored wait here, and the cron tries them again each minute."
      />
    </>
  );
};

/** Shows a publisher's or a platform's own messages that are not counted yet. */
export const Messages = (): JSX.Element => (
  <Page title="Messages that were not counted">
    <MessageLists />
  </Page>
);
