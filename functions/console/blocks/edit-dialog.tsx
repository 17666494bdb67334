import { Fragment, type JSX } from "preact";
import type { Read } from "../api/use.ts";
import { Bones } from "../parts/bits.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/**
 * Holds what the form of every {@link EditDialog} needs: the version that was read, and how to read again or give up.
 */
export type Edited = {
  etag: string | null;
  onReload: () => void;
  onClose: () => void;
};

/** Shows a dialog with a form for what it reads. Another version gets a new form. */
export const EditDialog = <Data,>({
  title,
  isWide = false,
  of: { data, etag, error, reload },
  onClose,
  form,
}: {
  title: string;
  isWide?: boolean;
  of: Read<Data>;
  onClose: () => void;
  form: (data: Data, edited: Edited) => JSX.Element;
}): JSX.Element => (
  <Dialog title={title} onClose={onClose} isWide={isWide}>
    {error && <ProblemNote of={error} retry={reload} />}
    {!data && !error && <Bones />}
    {data && <Fragment key={etag}>{form(data, { etag, onReload: reload, onClose })}</Fragment>}
  </Dialog>
);
