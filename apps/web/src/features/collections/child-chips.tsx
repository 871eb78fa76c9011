import type { Collection } from "@marketday/contracts/collections";
import { ChipRail } from "@marketday/ui/chip.tsx";
import { useState } from "react";
import { matchPath } from "react-router";

import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { findCollection } from "./api.ts";

import chip from "@marketday/ui/chip.module.css";

/**
 * The second row of the top nav (spec §2.3): "All {title}" and the children of the collection that is open over the
 * shop. It stays when the panel is closed, for the next shelf; a new visit to the shop begins without.
 */
export function ChildChips({ all }: { all: Collection[] }) {
  const { page, stack } = useNavigation(({ layers }) => layers);
  const open = stack.findLast(({ location }) => location && matchPath("/collections/:slug", location.pathname));
  const slug = open?.location && matchPath("/collections/:slug", open.location.pathname)?.params.slug;
  const [last, setLast] = useState<{ page: string; slug: string } | null>(null);
  if (slug && (last?.slug !== slug || last.page !== page.key)) setLast({ page: page.key, slug });

  if (page.pathname !== paths.shop || !last || last.page !== page.key) return null;
  const found = findCollection(all, last.slug);
  if (!found || found.parent.children.length === 0) return null;
  const { parent } = found;
  return (
    <ChipRail label={`Within ${parent.title}`}>
      {[{ ...parent, title: `All ${parent.title}` }, ...parent.children].map((one) => (
        <OverlayLink
          key={one.id}
          to={paths.collection(one.slug)}
          className={chip["chip"]}
          aria-current={slug && one.id === found.collection.id ? "page" : undefined}
        >
          {one.title}
        </OverlayLink>
      ))}
    </ChipRail>
  );
}
