import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { Awning } from "./awning.tsx";
import { useHubFilter } from "./hub-filter.ts";
import { HubMenu } from "./hub-menu.tsx";
import type { FrameActions } from "./use-frame-actions.ts";

import s from "./mobile-header.module.css";

interface MobileHeaderProps {
  marketName: string;
  actions: FrameActions;
}

/** On a small screen: the market that is shown, and the search; under it the awning. */
export function MobileHeader({ marketName, actions }: MobileHeaderProps) {
  const { to } = useHubFilter();
  return (
    <>
      <div className={s.bar}>
        <Link to={to(paths.today)} className={s.logo} aria-label={t.home(marketName)}>
          <Icon name="wagon" size="lg" />
        </Link>
        <HubMenu wide />
        <IconButton id="search" icon="find" label={t.search} aria-haspopup="dialog" onClick={actions.search} />
      </div>
      <Awning />
    </>
  );
}
