import type { OutboxEntry } from "#client";
import type { JSX } from "preact";
import { useRead } from "../../api/use.ts";
import { Time } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { Health } from "./health.tsx";
import { MessageLists } from "./messages.tsx";
import { State } from "./state.tsx";
import { Waiting } from "./waiting.tsx";

const OUTBOX: readonly Column<OutboxEntry>[] = [
  { title: "Document", cell: ({ key }) => <code class="under">{key}</code> },
  { title: "Waiting since", cell: ({ since }) => <Time at={since} /> },
  { title: "Changes", isNumber: true, cell: ({ changes }) => changes },
];

const useOutbox = (part: { skip: number; take: number }) => useRead("listOutbox", part);

/**
 * Shows the health of the service, what waits to be published or stored, and the messages that it did not understand.
 */
export const Operations = (): JSX.Element => (
  <Page title="Operations">
    <div class="columns">
      <Health />
      <State />
    </div>
    <Waiting
      title="Changes to publish"
      useRows={useOutbox}
      idOf={({ key }) => key}
      columns={OUTBOX}
      empty="None are waiting: pages see every change. Changes that could not be published at once wait here, and the cron tries them again each minute."
    />
    <MessageLists />
  </Page>
);
