import { ViewTabs } from "@marketday/ui/admin/view-tabs.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useAddress } from "./use-address.ts";

import s from "./payouts.module.css";

interface PayoutsFrameProps {
  view: "due" | "paid";
  /** Beside the title. */
  note: ReactNode;
  /** How many vendors are to be paid; undefined: not known. */
  due?: number | undefined;
  /** The panel of one row; null: none is open. */
  panel: ReactNode;
  isWhole: boolean;
  children: ReactNode;
}

/** The head of the screen with its two views, a list, and beside it the panel of one row. */
export function PayoutsFrame({ view, note, due, panel, isWhole, children }: PayoutsFrameProps) {
  const { hub } = useHubFilter();
  const to = useAddress();
  return (
    <div className={s.split} data-open={panel !== null && !isWhole ? "" : undefined}>
      <div className={s.list} hidden={isWhole}>
        <PageHead title={t.title} documentTitle={`${t.viewNames[view]} · ${t.title}`} note={note} />
        <div className={s.views}>
          <ViewTabs
            label={t.views}
            current={view}
            views={[
              { key: "due", label: t.viewNames.due, count: due, to: to(paths.payouts) },
              { key: "paid", label: t.viewNames.paid, count: undefined, to: to(paths.paid) },
            ]}
          />
        </div>
        {hub && <p className={s.scope}>{t.ofAllMarkets}</p>}
        {children}
      </div>
      {panel !== null && (
        <div className={s.beside} data-payouts-panel="">
          {panel}
        </div>
      )}
    </div>
  );
}
