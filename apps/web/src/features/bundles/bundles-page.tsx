import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { BUNDLES_INTRO } from "@marketday/domain/bundle";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { Navigate } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { useBundles } from "./api.ts";
import { BundleCard, BundleCardBones } from "./bundle-card.tsx";
import { hasBundles } from "./has-bundles.ts";
import { BundleState } from "./state.ts";

import s from "./bundles-page.module.css";

/** Boxes the market has packed: spec §2.1 /bundles, with its four states of §4. The special hub has none. */
export default function BundlesPage() {
  useTitle("Bundles");
  const { hubId } = useShopper();
  if (!hasBundles(hubId)) return <Navigate to={paths.notFound} replace />;
  return (
    <div className={s.page}>
      <h1>Bundles</h1>
      <p className={s.words}>{BUNDLES_INTRO}</p>
      <Bundles />
    </div>
  );
}

function Bundles() {
  const { isPending } = useShopper();
  const { bundles, error, state, query, retry } = useBundles();
  const { openModal } = useNavigation();
  switch (state) {
    case BundleState.idle:
      return isPending ? (
        <Bones />
      ) : (
        <EmptyState
          icon="pin"
          title="Which market delivers to you?"
          action={
            <Button id="bundles-welcome" onClick={() => openModal({ kind: "welcome" }, "bundles-welcome")}>
              Enter your zip code
            </Button>
          }
        >
          Every market has its own stalls and its own day.
        </EmptyState>
      );
    case BundleState.loading:
      return <Bones />;
    case BundleState.failed:
      return <ErrorState message={error?.message ?? ""} onRetry={retry} />;
    case BundleState.loaded:
      if (bundles?.length === 0)
        return (
          <EmptyState title="No bundles this week" action={<ButtonLink to={paths.shop}>See what is new</ButtonLink>}>
            New ones appear once the stalls know their harvest.
          </EmptyState>
        );
      return (
        <>
          <StaleNotice query={query} />
          <ul className={s.cards}>
            {bundles?.map((bundle, place) => (
              <li key={bundle.id}>
                <BundleCard bundle={bundle} first={place < 2} />
              </li>
            ))}
          </ul>
        </>
      );
  }
}

const Bones = () => (
  <Skeleton label="bundles">
    <div className={s.cards}>
      {Array.from({ length: 4 }, (_, index) => (
        <BundleCardBones key={index} />
      ))}
    </div>
  </Skeleton>
);
