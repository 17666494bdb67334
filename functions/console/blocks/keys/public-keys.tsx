import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { useRead, useWrite } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { Badge, Bones, Copy, Time } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { useDialog } from "../../parts/dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Confirm } from "../changing/confirm.tsx";
import { Rotate } from "./rotate.tsx";

/** Shows the public keys of a publisher: makes, rotates and ends them. They are not secret. */
export const PublicKeys = ({ publisherId }: { publisherId: string }): JSX.Element => {
  const who = useWho();
  const { data, error, reload } = useRead("listPublicKeys", publisherId);
  const { run, isBusy, error: refused } = useWrite();
  const [open, setOpen, close] = useDialog<{ what: "rotate" | "end"; key: string }>();
  const issue = async (): Promise<void> => {
    if (await run(() => api.issuePublicKey(publisherId))) {
      say("A new public key was created.");
      reload();
    }
  };
  return (
    <Card
      title="Public keys"
      actions={
        mayOwn(who) && (
          <Button look="little" isOff={isBusy} onPress={() => void issue()}>
            New key
          </Button>
        )
      }
    >
      {error && <ProblemNote of={error} retry={reload} />}
      {refused && <ProblemNote of={refused} />}
      {!data && !error && <Bones lines={3} />}
      {data?.length === 0 && <p class="muted">No key is valid, so this publisher’s pages get no offers.</p>}
      <ul class="lines">
        {data?.map(({ key, createdAt, expiresAt }) => (
          <li key={key}>
            <span class="grow">
              <code class="under">{key}</code>
              <span class="under">
                Created <Time at={createdAt} />{" "}
                {expiresAt && (
                  <Badge tone="warn">
                    Ends <Time at={expiresAt} />
                  </Badge>
                )}
              </span>
            </span>
            <span class="row">
              <Copy text={key} />
              {mayOwn(who) && (
                <>
                  <button type="button" class="button little" onClick={() => setOpen({ what: "rotate", key })}>
                    Rotate …
                  </button>
                  <button type="button" class="button little danger" onClick={() => setOpen({ what: "end", key })}>
                    End …
                  </button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {open?.what === "rotate" && (
        <Rotate
          title="Rotate this public key"
          rotate={async (body) => (await api.rotatePublicKey(publisherId, open.key, body)).data.key}
          label="The new key"
          onDone={reload}
          onClose={close}
        >
          <p>The shop’s pages have to name the new key before the old one ends.</p>
        </Rotate>
      )}
      {open?.what === "end" && (
        <Confirm
          title="End this public key?"
          action="End it now"
          name={open.key.slice(0, 12)}
          work={() => api.revokePublicKey(publisherId, open.key)}
          onClose={close}
          onDone={() => {
            close();
            say("The key has ended.");
            reload();
          }}
        >
          <p>Within a minute or two, pages that name it no longer get offers. This cannot be undone.</p>
        </Confirm>
      )}
    </Card>
  );
};
