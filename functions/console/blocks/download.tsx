import type { JSX } from "preact";
import { inWords } from "../api/problem.ts";
import { useWrite } from "../api/use.ts";
import { Button } from "../parts/button.tsx";
import { say } from "../parts/toasts.tsx";

const FREED_AFTER_MS = 60_000;

/** Holds a file to be saved, and a message to show then. */
export type Saved = { name: string; content: Blob; told?: string };

/** Saves a file, as the browser does with a download. */
const save = ({ name, content }: Saved): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), FREED_AFTER_MS);
};

/** Makes a CSV file from an answer, with the name that the service gives. */
export const csvFile = ({ data, headers }: { data: string; headers: Headers }): Saved => ({
  name: /filename="([\w.-]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "report.csv",
  content: new Blob([data], { type: "text/csv" }),
});

/** Makes a file, and saves it. */
export const Download = ({
  make,
  text,
  look = "little",
}: {
  make: () => Promise<Saved>;
  text: string;
  /** Names styles besides the usual one. */
  look?: string;
}): JSX.Element => {
  const { run, isBusy } = useWrite();
  const download = async (): Promise<void> => {
    try {
      const file = await make();
      save(file);
      if (file.told) say(file.told);
    } catch (error) {
      say(`The file could not be made: ${inWords(error)}`);
    }
  };
  return (
    <Button look={look} isOff={isBusy} onPress={() => void run(download)}>
      {text}
    </Button>
  );
};
