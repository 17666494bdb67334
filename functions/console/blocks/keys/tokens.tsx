import type { Token } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { goOnWith } from "../../api/go-on.ts";
import { useRead, type Read } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { Badge, Bones, Time } from "../../parts/bits.tsx";
import { useDialog } from "../../parts/dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Confirm } from "../changing/confirm.tsx";
import { EditToken } from "./edit-token.tsx";
import { NewToken } from "./new-token.tsx";
import { Rotate } from "./rotate.tsx";

/** Describes a token as in a list. The list for a publisher itself leaves out its use. */
type Listed = Pick<Token, "id" | "name" | "revenueAccess" | "grossAccess" | "createdAt"> & Partial<Token>;

type Open = { what: "new" } | { what: "change" | "rotate" | "end"; token: Listed };

const TokenLine = ({ token, onOpen }: { token: Listed; onOpen?: ((open: Open) => void) | undefined }) => (
  <li>
    <span class="grow">
      <strong dir="auto">{token.name}</strong> {token.access === "READ" && <Badge>Read-only</Badge>}
      {token.expiresAt && (
        <>
          {" "}
          <Badge tone="warn">
            Ends <Time at={token.expiresAt} />
          </Badge>
        </>
      )}
      <span class="under">
        Created <Time at={token.createdAt} />
        {token.lastUsedOn !== undefined && ` · last used ${token.lastUsedOn ? `${token.lastUsedOn} UTC` : "never"}`}
        {token.revenueAccess ? "" : " · sees no revenue"}
        {token.grossAccess ? " · sees what advertisers owe" : ""}
      </span>
    </span>
    {onOpen && (
      <span class="row">
        <button type="button" class="button little" onClick={() => onOpen({ what: "change", token })}>
          Change …
        </button>
        <button type="button" class="button little" onClick={() => onOpen({ what: "rotate", token })}>
          Rotate …
        </button>
        <button type="button" class="button little danger" onClick={() => onOpen({ what: "end", token })}>
          End …
        </button>
      </span>
    )}
  </li>
);

/** Reads the tokens of a publisher, as the publisher or as one who manages it. */
const useTokens = (
  publisherId: string,
  isPublisher: boolean,
): Pick<Read<readonly Listed[]>, "data" | "error" | "reload"> => {
  const own = useRead(isPublisher ? "listOwnTokens" : null, publisherId, { take: 100 });
  const others = useRead(isPublisher ? null : "listTokens", { publisherId, take: 100 });
  return isPublisher ? own : others;
};

/** Shows the private tokens of a publisher: makes, changes, rotates and ends them. */
export const Tokens = ({ publisherId }: { publisherId: string }): JSX.Element => {
  const who = useWho();
  const isPublisher = who.kind === "publisher";
  const { data, error, reload } = useTokens(publisherId, isPublisher);
  const [open, setOpen, close] = useDialog<Open>();
  return (
    <Card
      title="Private tokens"
      actions={
        mayOwn(who) && (
          <button type="button" class="button little" onClick={() => setOpen({ what: "new" })}>
            New token
          </button>
        )
      }
    >
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={3} />}
      {data?.length === 0 && <p class="muted">No token is valid, so this publisher’s servers can do nothing.</p>}
      <ul class="lines">
        {data?.map((token) => (
          <TokenLine key={token.id} token={token} onOpen={mayOwn(who) ? setOpen : undefined} />
        ))}
      </ul>
      {open?.what === "new" && <NewToken publisherId={publisherId} onDone={reload} onClose={close} />}
      {open?.what === "change" && (
        <EditToken
          publisherId={publisherId}
          id={open.token.id}
          onRenamed={reload}
          onClose={close}
          onSaved={() => {
            close();
            say("Saved.");
            reload();
          }}
        />
      )}
      {open?.what === "rotate" && (
        <Rotate
          title={`Rotate “${open.token.name}”`}
          rotate={async (body) => (await api.rotateToken(publisherId, open.token.id, body)).data.bearer}
          label="The new token"
          onDone={(bearer) => void goOnWith(bearer).finally(reload)}
          onClose={close}
        >
          <p>A new token of the same name takes its place, and may do the same.</p>
        </Rotate>
      )}
      {open?.what === "end" && (
        <Confirm
          title="End this token?"
          action="End it now"
          name={open.token.name}
          work={() => api.revokeToken(publisherId, open.token.id)}
          onClose={close}
          onDone={() => {
            close();
            say("The token has ended.");
            reload();
          }}
        >
          <p>Whatever uses it is refused from now on. This cannot be undone.</p>
        </Confirm>
      )}
    </Card>
  );
};
