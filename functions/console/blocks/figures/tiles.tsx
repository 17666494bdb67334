import type { JSX } from "preact";
import { change, signedPercent } from "../../core/format.ts";
import type { Counted, Figure } from "../../core/reports/figures.ts";

/** Shows how much a figure changed; more is not always better, so only the arrow says which way. */
const Delta = ({ now, before, than }: { now: number | null; before: number | null; than: string }) => {
  const share = change(now, before);
  if (share === null) return <span class="delta">No comparison</span>;
  const way = share > 0.0005 ? "up" : share < -0.0005 ? "down" : "same";
  return (
    <span class={`delta ${way}`}>
      {way === "up" ? "▲ " : way === "down" ? "▼ " : ""}
      {signedPercent(share)} <span class="muted">{than}</span>
    </span>
  );
};

/** Shows figures as tiles. A tile is as high before its figure is known as it is afterwards. */
export const Tiles = ({
  label,
  figures,
  of,
  compared = null,
  lead = () => "",
  than = () => "",
}: {
  label?: string;
  figures: readonly Figure[];
  /** Holds what was counted, once that is known. */
  of: Counted | null;
  /** Holds the counts to compare; without any, tiles show no change. */
  compared?: { now: Counted; before: Counted } | null;
  /** Says, before a change, what it is a change of, where that is not the figure above it. */
  lead?: (figure: Figure) => string;
  /** Says, after a change, what the figure is compared with. */
  than?: (figure: Figure) => string;
}): JSX.Element => (
  <dl class="tiles" {...(label && { "aria-label": label })}>
    {figures.map((figure) => (
      <div class="tile" key={figure.key}>
        <dt>{figure.text}</dt>
        <dd>
          {of ? figure.write(figure.of(of)) : <span class="bone" />}
          {of && compared && (
            <div>
              {lead(figure) && <span class="delta">{lead(figure)}</span>}
              <Delta now={figure.of(compared.now)} before={figure.of(compared.before)} than={than(figure)} />
            </div>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
