import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api/client.ts";
import { useWrite } from "../api/use.ts";
import { MAX_EMAIL, MAX_SESSION } from "../../core/customer-limits.ts";
import { count } from "../core/format.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select, Text } from "../parts/fields/field.tsx";
import { ClosingForm } from "../parts/fields/form.tsx";
import { Card } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/** Counts the entries from which a customer was removed. */
type Erased = { events: number; rejects: number; deadLetters: number };

type Named = "email" | "sessionId";

const FIELDS: Record<Named, { label: string; hint: string; maxLength: number }> = {
  email: { label: "E-mail address", hint: "Or its SHA-256, 64 hexadecimal digits", maxLength: MAX_EMAIL },
  sessionId: { label: "Session id", hint: "As the shop’s page sends it", maxLength: MAX_SESSION },
};

const ForgetCustomer = ({
  publisherId,
  onDone,
  onClose,
}: {
  publisherId: string;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [by, setBy] = useState<Named>("email");
  const [customer, setCustomer] = useState("");
  const [erased, setErased] = useState<Erased | null>(null);
  const { run, isBusy, error } = useWrite();
  const forget = async (): Promise<void> => {
    const text = customer.trim();
    const answer = await run(() =>
      api.forgetCustomer(publisherId, by === "email" ? { email: text } : { sessionId: text }),
    );
    if (!answer) return;
    setErased(answer.data);
    onDone();
  };
  return (
    <Dialog title={erased ? "The customer is forgotten" : "Forget a customer"} onClose={onClose}>
      {erased ? (
        <div class="stack">
          <p role="status">
            {count(erased.events)} {erased.events === 1 ? "hit" : "hits"}, {count(erased.rejects)} rejected and{" "}
            {count(erased.deadLetters)} waiting messages held something of this customer, and no longer do. For the next
            60 days, nothing that comes in is linked to them.
          </p>
          <div class="actions">
            <button type="button" class="button main-action" onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      ) : (
        <ClosingForm isBusy={isBusy} onSend={forget}>
          <p>
            What is stored about one customer of this publisher is removed, at its deleted sites, too. What was counted
            and earned stays. This cannot be undone.
          </p>
          <Select
            label="Identify the customer by"
            value={by}
            onChange={(next) => setBy(next as Named)}
            choices={[
              ["email", "E-mail address"],
              ["sessionId", "Session id"],
            ]}
          />
          <Text {...FIELDS[by]} value={customer} onChange={setCustomer} isRequired autoFocus />
          {error && <ProblemNote of={error} />}
          <div class="actions">
            <button type="button" class="button" onClick={onClose}>
              Cancel
            </button>
            <Button type="submit" look="danger" isOff={isBusy || customer.trim() === ""}>
              Forget for good
            </Button>
          </div>
        </ClosingForm>
      )}
    </Dialog>
  );
};

/** Removes a customer who asks for it from everything stored for a publisher. */
export const Forget = ({ publisherId, onDone }: { publisherId: string; onDone: () => void }): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Customers">
      <div class="row spread">
        <p class="muted small grow">No names are stored, only keyed hashes of e-mail addresses and sessions.</p>
        <button type="button" class="button little danger" onClick={() => setOpen(true)}>
          Forget a customer …
        </button>
      </div>
      {isOpen && <ForgetCustomer publisherId={publisherId} onDone={onDone} onClose={() => setOpen(false)} />}
    </Card>
  );
};
