import type { JSX } from "preact";
import { useLocation, useRoute } from "preact-iso/router";
import { useRead } from "../../../api/use.ts";
import { Bones } from "../../../parts/bits.tsx";
import { useGoTo } from "../../../parts/moving/go-to.ts";
import { Page } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { say } from "../../../parts/toasts.tsx";
import { OfferForm } from "./offer-form.tsx";

const CRUMBS = [{ href: "/console/offers", text: "Offers" }];

/** Shows the page to create an offer. */
export const NewOffer = (): JSX.Element => {
  const { query } = useLocation();
  const goTo = useGoTo();
  return (
    <Page title="New offer" crumbs={CRUMBS}>
      <OfferForm
        offer={null}
        advertiserId={query["advertiserId"] ?? ""}
        etag={null}
        onSaved={(id) => {
          say("The offer was created. It will be shown within a few minutes.");
          goTo(`/console/offers/${id}`);
        }}
        onReload={() => undefined}
        onCancel={() => goTo("/console/offers")}
      />
    </Page>
  );
};

/** Shows the page to change an offer. */
export const EditOffer = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const goTo = useGoTo();
  const { data, etag, error, reload } = useRead("getOffer", id);
  const crumbs = [...CRUMBS, { href: `/console/offers/${id}`, text: data?.name ?? "Offer" }];
  return (
    <Page title="Edit the offer" crumbs={crumbs}>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={10} />}
      {data && (
        <OfferForm
          key={etag}
          offer={data}
          advertiserId={data.advertiserId}
          etag={etag}
          onSaved={() => {
            say("Saved.");
            goTo(`/console/offers/${id}`);
          }}
          onReload={reload}
          onCancel={() => goTo(`/console/offers/${id}`)}
        />
      )}
    </Page>
  );
};
