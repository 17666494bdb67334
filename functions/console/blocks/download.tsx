import type { Answer } from "#client";
import type { JSX } from "preact";
import { inWords } from "../api/problem.ts";
import { useWrite } from "../api/use.ts";
import { Button } from "../parts/button.tsx";
import { say } from "../parts/toasts.tsx";

const FREED_AFTER_MS = 60_000;

const save = (name: string, content: Blob): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), FREED_AFTER_MS);
};

/** Names a file as the service does. */
const nameOf = (headers: Headers): string =>
  /filename="([\w.-]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "report.csv";

/** Saves what the API answers as a file of CSV. */
export const Download = ({
  read,
  text,
}: {
  read: () => Promise<Answer<{ data: string }>>;
  text: string;
}): JSX.Element => {
  const { run, isBusy } = useWrite();
  const download = async (): Promise<void> => {
    try {
      const { data, headers } = await read();
      save(nameOf(headers), new Blob([data], { type: "text/csv" }));
    } catch (error) {
      say(`The file could not be made: ${inWords(error)}`);
    }
  };
  return (
    <Button look="little" isOff={isBusy} onPress={() => void run(download)}>
      {text}
    </Button>
  );
};
