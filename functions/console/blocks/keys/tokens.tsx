import type { Token } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead, useWrite, type Read } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { Badge, Bones, Secret, Time } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Select, Text } from "../../parts/field.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Confirm } from "../confirm.tsx";
import { Rotate } from "./rotate.tsx";

/** Describes a token as a list has it. That of a publisher's own leaves out what it is used for. */
type Listed = Pick<Token, "id" | "name" | "revenueAccess" | "createdAt"> & Partial<Token>;

const NewToken = ({
  publisherId,
  onDone,
  onClose,
}: {
  publisherId: string;
  onDone: () => void;
  onClose: () => void;
}) => {
  const [name, setName] = useState("");
  const [access, setAccess] = useState<"READ" | "WRITE">("WRITE");
  const [hasRevenue, setRevenue] = useState(true);
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, error } = useWrite();
  const { revenueAccess } = useWho();
  const create = async (): Promise<void> => {
    const body = { name: name.trim(), access, revenueAccess: hasRevenue && revenueAccess };
    const answer = await run(() => api.issueToken(publisherId, body));
    if (!answer) return;
    setMade(answer.data.bearer);
    onDone();
  };
  return (
    <Dialog title="New token" onClose={onClose} mayLeave={made === null}>
      {made === null ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <Text
            label="Name"
            value={name}
            onChange={setName}
            isRequired
            maxLength={255}
            autoFocus
            hint="Who or what will use it, such as “Accounting”"
          />
          <Select
            label="May"
            value={access}
            onChange={(value) => setAccess(value === "READ" ? value : "WRITE")}
            choices={[
              ["WRITE", "Read and change"],
              ["READ", "Only read"],
            ]}
          />
          {revenueAccess && <Check label="Its reports show revenue" checked={hasRevenue} onChange={setRevenue} />}
          {error && <ProblemNote of={error} />}
          <div class="actions">
            <button type="button" class="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="button main-action" disabled={isBusy}>
              Create
            </button>
          </div>
        </form>
      ) : (
        <div class="stack">
          <Secret value={made} label="The new token" />
          <div class="actions">
            <button type="button" class="button main-action" onClick={onClose}>
              I have copied it
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
};

type Open = { what: "new" } | { what: "rotate" | "end"; token: Listed };

const TokenLine = ({ token, onOpen }: { token: Listed; onOpen?: ((open: Open) => void) | undefined }) => (
  <li>
    <span class="grow">
      <strong dir="auto">{token.name}</strong> {token.access === "READ" && <Badge>Only reads</Badge>}
      {token.expiresAt && (
        <>
          {" "}
          <Badge tone="warn">
            Ends <Time at={token.expiresAt} />
          </Badge>
        </>
      )}
      <span class="under">
        Since <Time at={token.createdAt} />
        {token.lastUsedOn !== undefined && ` · last used ${token.lastUsedOn ? `${token.lastUsedOn} UTC` : "never"}`}
        {token.revenueAccess ? "" : " · sees no revenue"}
      </span>
    </span>
    {onOpen && (
      <span class="row">
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

/** Reads the tokens of a publisher: as its own, or as those who look after it. */
const useTokens = (
  publisherId: string,
  isPublisher: boolean,
): Pick<Read<readonly Listed[]>, "data" | "error" | "reload"> => {
  const own = useRead(isPublisher ? "listOwnTokens" : null, publisherId, { take: 100 });
  const others = useRead(isPublisher ? null : "listTokens", { publisherId, take: 100 });
  return isPublisher ? own : others;
};

/** Shows the private tokens of a publisher: makes, rotates and ends them. */
export const Tokens = ({ publisherId }: { publisherId: string }): JSX.Element => {
  const who = useWho();
  const isPublisher = who.kind === "publisher";
  const { data, error, reload } = useTokens(publisherId, isPublisher);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
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
      {!data && !error && <Bones lines={2} />}
      {data?.length === 0 && <p class="muted">No token is valid. Servers of this publisher can do nothing.</p>}
      <ul class="lines">
        {data?.map((token) => (
          <TokenLine key={token.id} token={token} onOpen={mayOwn(who) ? setOpen : undefined} />
        ))}
      </ul>
      {open?.what === "new" && <NewToken publisherId={publisherId} onDone={reload} onClose={close} />}
      {open?.what === "rotate" && (
        <Rotate
          title={`Rotate “${open.token.name}”`}
          rotate={async (body) => (await api.rotateToken(publisherId, open.token.id, body)).data.bearer ?? ""}
          label="The new token"
          onDone={reload}
          onClose={close}
        >
          <p>A new token of the same name takes its place, and may the same.</p>
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
