import { Avatar } from "@marketday/ui/avatar.tsx";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useVendorSearch } from "./api.ts";

import s from "./vendor-rail.module.css";

/** How many vendors stand above the items. */
const SHOWN = 6;

/** Vendors whose name is near the term, above the items it found. Nothing while there are none. */
export function VendorRail({ term }: { term: string }) {
  const { data } = useVendorSearch(term);
  if (!data || data.length === 0) return null;
  return (
    <ul className={s.rail} aria-label="Vendors">
      {data.slice(0, SHOWN).map(({ id, slug, name, avatar }) => (
        <li key={id}>
          <OverlayLink to={paths.vendor(slug)} className={s.vendor}>
            <Avatar id={id} name={name} picture={avatar} size="sm" />
            {name}
          </OverlayLink>
        </li>
      ))}
    </ul>
  );
}
