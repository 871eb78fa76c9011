import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useState } from "react";
import { useNavigate } from "react-router";

import * as t from "#messages/orders";

import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { CancelForm } from "./cancel-form.tsx";
import { panelTitleId } from "./panel-title.ts";
import { useMarkPaid } from "./use-mark-paid.ts";

import s from "./orders.module.css";

/** What can be done with a box, each with its key; the form of a cancellation in its place. */
export function OrderVerbs({ order }: { order: OrderBox }) {
  const { hub, day, can } = order;
  const navigate = useNavigate();
  const [isCancelling, setCancelling] = useState(false);
  const paid = useMarkPaid(order);
  const canShort = useCan("orders.adjust", hub.id) && order.status !== "cancelled" && order.status !== "delivered";
  const { to } = useHubFilter();
  const shorts = to(paths.shorts(hub.slug, day));
  const isHeld = order.held.some(({ summary }) => summary.kind === "cancel_order");
  const canCancel = can.cancel && !isHeld;
  const keys: (Shortcut | false)[] = [
    canShort && { keys: "s", label: t.verbShort, run: () => void navigate(shorts) },
    can.markPaid && { keys: "p", label: t.verbPaid(formatMoney(paid.amount)), run: paid.record },
    canCancel && { keys: "c", label: t.verbCancel, run: () => setCancelling(true) },
  ];
  useShortcuts(keys.filter((key) => key !== false));
  if (isCancelling && !isHeld)
    return (
      <CancelForm
        order={order}
        onClose={() => {
          setCancelling(false);
          // Its button is gone once the cancellation is held: then the focus is on the title of the panel.
          requestAnimationFrame(() =>
            (
              document.getElementById("order-cancel") ?? document.getElementById(panelTitleId(String(order.id)))
            )?.focus(),
          );
        }}
      />
    );
  const hasVerbs = canShort || can.markPaid || canCancel;
  return (
    <div className={s.verbs} role="group" aria-label={t.verbs}>
      {!hasVerbs && <p className={s.quiet}>{t.noVerbs}</p>}
      {paid.failure !== null && (
        <p className={s.failure} role="alert">
          {paid.failure}
        </p>
      )}
      <Compact>
        {can.markPaid && (
          <Button icon="coins" busy={paid.isRecording && t.recording} onClick={paid.record}>
            {t.verbPaid(formatMoney(paid.amount))}
            <Kbd keys="P" inButton />
          </Button>
        )}
        {canShort && (
          <ButtonLink kind="outline" to={shorts}>
            {t.verbShort}
            <Kbd keys="S" inButton />
          </ButtonLink>
        )}
        {canCancel && (
          <Button kind="outline" id="order-cancel" onClick={() => setCancelling(true)}>
            {t.verbCancel}
            <Kbd keys="C" inButton />
          </Button>
        )}
      </Compact>
    </div>
  );
}
