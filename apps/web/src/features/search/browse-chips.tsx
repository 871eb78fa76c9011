import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useCollections } from "../collections/api.ts";

import s from "./browse-chips.module.css";
import chip from "@marketday/ui/chip.module.css";

/** How many collections are offered. */
const SHOWN = 6;

/** Somewhere to start for those who found nothing, or do not know what they look for. */
export function BrowseChips() {
  const { data = [] } = useCollections();
  if (data.length === 0) return null;
  return (
    <ul className={s.chips} aria-label="Collections to browse">
      {data.slice(0, SHOWN).map(({ id, slug, title }) => (
        <li key={id}>
          <OverlayLink to={paths.collection(slug)} className={chip["chip"]}>
            {title}
          </OverlayLink>
        </li>
      ))}
    </ul>
  );
}
