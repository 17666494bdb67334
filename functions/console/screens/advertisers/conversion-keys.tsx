import type { AdvertiserWithSecret } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Copy } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";

/**
 * Shows the secret and the key that conversions are reported with, the secret only when asked. If one leaked, both are
 * replaced at once.
 */
export const ConversionKeys = ({ of, onChanged }: { of: AdvertiserWithSecret; onChanged: () => void }): JSX.Element => {
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const { conversionSecret: secret, pixelKey } = of;
  return (
    <Card title="Reporting conversions">
      <div class="stack tight">
        <h3>Conversion secret</h3>
        <p class="muted small">
          The advertiser’s server reports with it what clicks led to. Keep it off pages and out of e-mails.
        </p>
        {secret ? (
          <div class="secret">
            <code>{isShown ? secret : "lan_cs_ ••••••••••••"}</code>
            <button type="button" class="button little" onClick={() => setShown(!isShown)}>
              {isShown ? "Hide" : "Show"}
            </button>
            <Copy text={secret} />
          </div>
        ) : (
          <p class="note warn">It can no longer be shown. It still works, and you can make a new one.</p>
        )}
        <h3>Pixel key</h3>
        <p class="muted small">
          An image on a page, or a postback, reports with it. Anybody who looks at the page can read it and make up
          reports: reports from the server, with the secret, are safer.
        </p>
        <div class="secret">
          <code>{pixelKey}</code>
          <Copy text={pixelKey} what="Copy the key" />
        </div>
        <div class="row">
          <button type="button" class="button little danger" onClick={() => setRotating(true)}>
            New secret and key …
          </button>
        </div>
      </div>
      {isRotating && (
        <Confirm
          title="Make a new conversion secret and pixel key?"
          action="Replace them now"
          work={() => api.rotateConversionSecret(of.id)}
          onClose={() => setRotating(false)}
          onDone={() => {
            setRotating(false);
            say("The secret and the key were replaced; the old ones no longer work.");
            onChanged();
          }}
        >
          <p>
            The old ones end at once: reports with them are refused until the advertiser’s server has the new secret,
            and its pages the new key.
          </p>
        </Confirm>
      )}
    </Card>
  );
};
