import type { ComponentChildren, JSX } from "preact";

/** Shows the page of somebody who is not signed in yet. */
export const Gate = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <main class="gate">
    <div class="gate-card stack">
      <div class="stack tight">
        <img src="/icons/brand.svg" alt="" width="44" height="44" />
        <h1>Lanyap console</h1>
        <p class="muted">See and manage publishers, sites, placements and offers.</p>
      </div>
      {children}
    </div>
  </main>
);
