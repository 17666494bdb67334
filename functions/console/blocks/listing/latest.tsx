import type { Pagination } from "#client";
import type { JSX } from "preact";
import { count } from "../../core/format.ts";

/** Says that a list has more than its first rows, which are the latest. */
export const Latest = ({ of }: { of: Pagination | null }): JSX.Element | null =>
  of?.hasMore ? (
    <p class="muted small">
      These are the latest {count(of.take)} of {count(of.total)}.
    </p>
  ) : null;
