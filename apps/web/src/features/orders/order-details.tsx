import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { canEdit } from "@marketday/domain/order-state";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { DialogActions, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { useEffect, useEffectEvent, useState } from "react";

import { ConfirmLeaving } from "../../navigation/confirm-leaving.tsx";
import { CalendarButton } from "./calendar-button.tsx";
import { EditFoot } from "./edit-foot.tsx";
import { EditItems } from "./edit-items.tsx";
import { formatAddOn } from "./format.ts";
import { StateChip, StateNote } from "./order-state.tsx";
import { ReceiptCard, DeliveryCard } from "./receipt.tsx";
import { ReorderCard } from "./reorder-card.tsx";
import { useEdit } from "./use-edit.ts";

import s from "./order-details.module.css";

/**
 * The receipt, with what can be done about it now: lowered until its cutoff, ordered again after it. `id` is the number it was
 * opened by, which may be that of an add-on.
 */
export function OrderDetails({ id: openedBy, order, onGone }: { id: number; order: Order; onGone: () => void }) {
  const now = useMarketNow();
  const { id, status, hub, cutoff } = order;
  const editable = canEdit(status, new Date(cutoff), now);
  const edit = useEdit(order, openedBy, editable);
  const [isOpen, setOpen] = useState(false);
  const editing = isOpen || edit.changed;
  const left = formatAddOn(order, now);
  const toggle = () => {
    if (editing) edit.discard();
    setOpen(!editing);
  };
  // The receipt of a deleted order is left once nothing holds it.
  const [isDeleted, setDeleted] = useState(false);
  const isGone = isDeleted && !edit.saving;
  const leave = useEffectEvent(onGone);
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);

  return (
    <>
      <DialogActions>
        <Button kind="quiet" onClick={() => print()}>
          Print
        </Button>
        {(editable || editing) && (
          <Button kind="outline" aria-pressed={editing} disabled={edit.saving} onClick={toggle}>
            {editing ? "Cancel" : "Edit Order"}
          </Button>
        )}
      </DialogActions>
      <DialogBody>
        <article className={s.details} data-receipt="">
          <header className={s.head}>
            <DialogTitle>Order #{id}</DialogTitle>
            <p className={s.facts}>
              {hub.name} <StateChip status={status} />
              {left && <Chip tone="squash">{left}</Chip>}
            </p>
            <StateNote order={order} now={now} />
          </header>
          {editing && (
            <Banner tone="information" title="Lower or remove items">
              {status === "future"
                ? "To get more, place another order."
                : "To get more, place another order: it comes in the same box."}
            </Banner>
          )}
          {edit.error && (
            <Banner tone="error" role="alert">
              {edit.error}
            </Banner>
          )}
          <DeliveryCard order={order} />
          <ReceiptCard
            order={order}
            lines={editing ? <EditItems order={order} lines={edit.lines} onChange={edit.set} /> : undefined}
          />
          {(status === "open" || status === "future" || status === "pending") && (
            <div className={s.more} data-no-print="">
              <CalendarButton order={order} />
            </div>
          )}
          {!editable && <ReorderCard order={order} />}
        </article>
      </DialogBody>
      {editing && edit.changed && (
        <EditFoot
          emptied={edit.emptied}
          saving={edit.saving}
          onDiscard={edit.discard}
          onSave={() =>
            void edit.save().then((outcome) => {
              if (outcome === "failed") return;
              setOpen(false);
              if (outcome === "deleted") setDeleted(true);
            })
          }
        />
      )}
      {edit.saving && (
        <ConfirmLeaving title="Your changes are still being saved">
          Saving goes on if you leave now, and a message here says how it ended.
        </ConfirmLeaving>
      )}
    </>
  );
}
