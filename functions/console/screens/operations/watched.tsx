import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../../api/problem.ts";
import { Bones } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

/** Shows what changes by itself, with a button to look again. */
export const Watched = ({
  title,
  isFlush = false,
  isKnown,
  lines,
  error,
  again,
  children,
}: {
  title: string;
  isFlush?: boolean;
  /** Tells that something was read; until then, grey lines take its place. */
  isKnown: boolean;
  lines: number;
  error: Problem | null;
  again: () => void;
  children: ComponentChildren;
}): JSX.Element => (
  <Card
    title={title}
    isFlush={isFlush}
    actions={
      <button type="button" class="button little" onClick={again}>
        Refresh
      </button>
    }
  >
    {error && <ProblemNote of={error} retry={again} />}
    {!isKnown && !error && <Bones lines={lines} />}
    {children}
  </Card>
);
