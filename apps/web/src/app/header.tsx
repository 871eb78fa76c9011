import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import { Awning } from "@marketday/ui/awning.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";

import { HubChip } from "../features/hubs/hub-chip.tsx";
import { config } from "../lib/boot.ts";
import { useNavigation } from "../navigation/overlays.ts";
import { paths } from "../navigation/paths.ts";
import { SearchField } from "./desktop-code.ts";

import s from "./header.module.css";

/** Sticky: the wagon, the search, the market; under it the awning. */
export function Header() {
  const isDesktop = useIsDesktop();
  const { openModal } = useNavigation();
  const find = (
    <IconButton
      id="header-search"
      icon="find"
      label="Search"
      aria-haspopup="dialog"
      onClick={() => openModal({ kind: "search" }, "header-search")}
    />
  );
  return (
    <header className={s.header}>
      <div className={s.row}>
        <Link to={paths.shop} className={s.logo} aria-label={`${config.marketName}, to the shop`}>
          <Icon name="wagon" size="lg" />
          <span>{config.marketName}</span>
        </Link>
        {isDesktop && (
          <div className={s.search}>
            <AsyncBoundary instead={find}>
              <SearchField />
            </AsyncBoundary>
          </div>
        )}
        <div className={s.hub}>
          <HubChip />
        </div>
        {!isDesktop && find}
      </div>
      <Awning />
    </header>
  );
}
