import { useIsDesktop } from "@marketday/client/use-media.ts";
import { Awning } from "@marketday/ui/awning.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "react-router";

import { HubChip } from "../features/hubs/hub-chip.tsx";
import { SearchField } from "../features/search/search-field.tsx";
import { config } from "../lib/boot.ts";
import { useNavigation } from "../navigation/overlays.ts";
import { paths } from "../navigation/paths.ts";

import s from "./header.module.css";

/** Sticky: the wagon, the search, the market; under it the awning. */
export function Header() {
  const isDesktop = useIsDesktop();
  const { openModal } = useNavigation();
  return (
    <header className={s.header}>
      <div className={s.row}>
        <Link to={paths.shop} className={s.logo} aria-label={`${config.marketName}, to the shop`}>
          <Icon name="wagon" size="lg" />
          <span>{config.marketName}</span>
        </Link>
        {isDesktop && (
          <div className={s.search}>
            <SearchField />
          </div>
        )}
        <div className={s.hub}>
          <HubChip />
        </div>
        {!isDesktop && (
          <IconButton
            id="header-search"
            icon="find"
            label="Search"
            aria-haspopup="dialog"
            onClick={() => openModal({ kind: "search" }, "header-search")}
          />
        )}
      </div>
      <Awning />
    </header>
  );
}
