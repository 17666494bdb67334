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
  { title: "Waits since", cell: ({ since }) => <Time at={since} /> },
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
      empty="None waits: pages see every change. A change that could not be published at once would wait here, and the cron would try it again each minute."
    />
    <MessageLists />
  </Page>
);
