import type { JSX } from "preact";
import { callCsv, type Query } from "../api/call.ts";
import { asProblem } from "../api/problem.ts";
import { useWrite } from "../api/use.ts";
import { say } from "../parts/toasts.tsx";

const FREED_AFTER_MS = 60_000;

const save = (name: string, content: Blob): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), FREED_AFTER_MS);
};

/** Saves what an address of the API answers as a file of CSV. */
export const Download = ({ path, query, text }: { path: string; query: Query; text: string }): JSX.Element => {
  const { run, isBusy } = useWrite();
  const download = async (): Promise<void> => {
    try {
      const { name, content } = await callCsv(path, query);
      save(name, content);
    } catch (error) {
      const { message, code, requestId } = asProblem(error);
      say(`The file could not be made: ${message} (${code}${requestId ? `, request ${requestId}` : ""})`);
    }
  };
  return (
    <button type="button" class="button little" disabled={isBusy} onClick={() => void run(download)}>
      {text}
    </button>
  );
};
