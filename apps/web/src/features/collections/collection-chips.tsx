import { ChipLink, ChipRail } from "@marketday/ui/chip.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useLocation } from "react-router";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { hasBundles } from "../bundles/has-bundles.ts";
import { useShopper } from "../session/api.ts";
import { useCollections } from "./api.ts";
import { ChildChips } from "./child-chips.tsx";

import s from "./collection-chips.module.css";
import chip from "@marketday/ui/chip.module.css";

/** The top nav (spec §2.3): Trending, special collections, then the others as chips. */
export function CollectionChips() {
  const { hubId, isPending: shopperPending } = useShopper();
  const { data, isPending, isLoadingError } = useCollections();
  const { pathname } = useLocation();

  if ((hubId === null && !shopperPending) || isLoadingError) return null;
  if (isPending)
    return (
      <Skeleton label="collections">
        <div className={s.bones}>
          {Array.from({ length: 6 }, (_, index) => (
            <SkeletonPart key={index} kind="chip" />
          ))}
        </div>
      </Skeleton>
    );
  const shown = data
    .filter(({ showInMainMenu, showInCollections }) => showInMainMenu || showInCollections)
    .toSorted((a, b) => Number(b.showInMainMenu) - Number(a.showInMainMenu));
  return (
    <>
      <ChipRail label="Collections">
        {[
          <ChipLink key="trending" to={paths.shop} current={pathname === paths.shop}>
            Trending
          </ChipLink>,
          ...shown.map(({ id, slug, title, newItemsCount }) => (
            <OverlayLink key={id} to={paths.collection(slug)} className={chip["chip"]}>
              {title}
              {newItemsCount > 0 && <span className={s.new}>{newItemsCount} new</span>}
            </OverlayLink>
          )),
          ...(hasBundles(hubId)
            ? [
                <ChipLink key="bundles" to={paths.bundles} current={pathname === paths.bundles}>
                  Bundles
                </ChipLink>,
              ]
            : []),
          <ChipLink key="all" to={paths.collections} current={pathname === paths.collections}>
            All collections
          </ChipLink>,
        ]}
      </ChipRail>
      <ChildChips all={data} />
    </>
  );
}
