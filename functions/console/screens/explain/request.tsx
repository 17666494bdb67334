import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../../api/problem.ts";
import { PAYMENT_TYPES } from "../../core/closed.ts";
import { readRequest, type Facts, type FACTS } from "../../core/explain.ts";
import { Button } from "../../parts/button.tsx";
import { Select, Text } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";
import type { Typed } from "./typed.ts";

const FIELDS: Record<Exclude<(typeof FACTS)[number], "paymenttype">, [label: string, placeholder: string]> = {
  country: ["Country", "US"],
  language: ["Language", "en"],
  amount: ["Order amount", "79.90"],
  currency: ["Currency", "USD"],
};

/** Says where the service takes facts from that a request does not state. */
const OWN: Record<string, string> = { country: "where you are", language: "as your browser asks for" };

const wrongFields = (problem: Problem | null): Record<string, string> => {
  const { invalidFields } = (problem?.details ?? {}) as { invalidFields?: { field: string; message: string }[] };
  return Object.fromEntries((invalidFields ?? []).map(({ field, message }) => [field, message]));
};

const Paste = ({ onRead }: { onRead: (typed: Typed) => void }) => {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const read = (): void => {
    const found = readRequest(text);
    setWrong(found === null);
    if (!found) return;
    setText("");
    onRead({ ...found.kept, ...(found.sessionId && { sessionId: found.sessionId }) });
  };
  return (
    <details>
      <summary>Paste a request instead</summary>
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          read();
        }}
      >
        <Text
          label="Address of a request for offers"
          rows={3}
          value={text}
          onChange={setText}
          error={isWrong ? "must be an address of /api/odata with a placementId" : undefined}
          hint="As it is in the browser’s network panel. Who the customer is, and the key, are left out."
        />
        <div>
          <button type="submit" class="button">
            Read it
          </button>
        </div>
      </form>
    </details>
  );
};

/** Shows the facts of a request, to be changed. */
export const Request = ({
  typed,
  assumed,
  onType,
  problem,
  isLoading,
  onAsk,
}: {
  typed: Typed;
  /** Holds what the service takes from your own request in place of a customer's. */
  assumed: Facts;
  onType: (name: string, value: string) => void;
  problem: Problem | null;
  isLoading: boolean;
  onAsk: (typed: Typed) => void;
}): JSX.Element => {
  const set = (name: string) => (value: string) => onType(name, value);
  const wrong = wrongFields(problem);
  return (
    <Card title="The request">
      <div class="stack">
        <Paste onRead={onAsk} />
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            onAsk(typed);
          }}
        >
          <div class="fields">
            {Object.entries(FIELDS).map(([name, [label, placeholder]]) => (
              <Text
                key={name}
                label={label}
                placeholder={placeholder}
                value={typed[name] ?? ""}
                onChange={set(name)}
                error={wrong[`at.${name}`]}
                hint={assumed[name] && `When left empty: ${assumed[name]}, ${OWN[name]}`}
              />
            ))}
            <Select
              label="Payment type"
              value={typed["paymenttype"] ?? ""}
              onChange={set("paymenttype")}
              error={wrong["at.paymenttype"]}
              choices={[["", "Unknown"], ...Object.entries(PAYMENT_TYPES)]}
            />
            <Text
              label="Offers at most"
              placeholder="4"
              value={typed["count"] ?? ""}
              onChange={set("count")}
              error={wrong["count"]}
            />
            <Text
              label="Session"
              value={typed["sessionId"] ?? ""}
              onChange={set("sessionId")}
              error={wrong["sessionId"]}
              hint="Decides what is random in the order. Not kept in the address, since it may be made from an e-mail address."
            />
            <Text
              label="Offers already answered"
              value={typed["seen"] ?? ""}
              onChange={set("seen")}
              hint="Ids, separated by commas. They come last."
            />
          </div>
          <div>
            <Button type="submit" look="main-action" isOff={isLoading || !typed["placementId"]}>
              Explain
            </Button>
          </div>
        </form>
      </div>
    </Card>
  );
};
