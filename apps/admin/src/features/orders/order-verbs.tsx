import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/orders";

import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { CancelForm } from "./cancel-form.tsx";
import { MoveForm } from "./move-form.tsx";
import { NoteForm } from "./note-form.tsx";
import { openForm, type OpenForm, type Verb } from "./open-form.ts";
import { panelTitleId } from "./panel-title.ts";
import { RefundForm } from "./refund-form.tsx";
import { ShortForm } from "./short-form.tsx";
import { useCharge } from "./use-charge.ts";
import { useMarkPaid } from "./use-mark-paid.ts";

import s from "./orders.module.css";

interface OrderVerbsProps {
  order: OrderBox;
  form: OpenForm | null;
  onForm: (form: OpenForm | null) => void;
}

/** What can be done with a box, each with its key; the form of a verb in their place. */
export function OrderVerbs({ order, form, onForm }: OrderVerbsProps) {
  const { can } = order;
  const paid = useMarkPaid(order);
  const charge = useCharge(order);
  const isHeld = order.held.some(({ summary }) => summary.kind === "cancel_order");
  const isShown: Record<Verb, boolean> = {
    short: can.short,
    refund: can.refund,
    note: can.note,
    move: can.changePlace || can.moveDay,
    cancel: can.cancel && !isHeld,
  };
  const labels: Record<Verb, string> = {
    short: t.verbShort,
    refund: t.verbRefund,
    note: t.verbNote,
    move: t.verbMove,
    cancel: t.verbCancel,
  };
  const verbs = (["short", "refund", "note", "move", "cancel"] as const).filter((verb) => isShown[verb]);
  const chargeLabel = t.verbCharge(formatMoney(order.money.amount));
  const keys: (Shortcut | false)[] = [
    can.markPaid && { keys: "p", label: t.verbPaid(formatMoney(paid.amount)), run: paid.record },
    ...verbs.map((verb) => ({
      keys: t.verbKeys[verb].toLowerCase(),
      label: labels[verb],
      // The letter is not typed into the form that it opens.
      run: (event: KeyboardEvent) => {
        event.preventDefault();
        onForm(openForm(verb));
      },
    })),
  ];
  useShortcuts(keys.filter((key) => key !== false));
  // What another person made impossible meanwhile stays open, with what was typed.
  if (form !== null && !(form.verb === "cancel" && isHeld)) {
    const close = () => {
      onForm(null);
      // Its button may be gone: then the focus is on the title of the panel.
      requestAnimationFrame(() =>
        (
          document.getElementById(`order-${form.verb}`) ?? document.getElementById(panelTitleId(String(order.id)))
        )?.focus(),
      );
    };
    return <VerbForms order={order} form={form} onClose={close} />;
  }
  const failure = paid.failure ?? charge.failure;
  return (
    <div className={s.verbs} role="group" aria-label={t.verbs}>
      {verbs.length === 0 && !can.markPaid && !can.charge && <p className={s.quiet}>{t.noVerbs}</p>}
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
      <Compact>
        {can.markPaid && (
          <Button icon="coins" busy={paid.isRecording && t.recording} onClick={paid.record}>
            {t.verbPaid(formatMoney(paid.amount))}
            <Kbd keys="P" inButton />
          </Button>
        )}
        {can.charge && (
          <Button kind="outline" busy={charge.isCharging && t.charging} onClick={charge.charge}>
            {chargeLabel}
          </Button>
        )}
        {verbs.map((verb) => (
          <Button key={verb} kind="outline" id={`order-${verb}`} onClick={() => onForm(openForm(verb))}>
            {labels[verb]}
            <Kbd keys={t.verbKeys[verb]} inButton />
          </Button>
        ))}
      </Compact>
    </div>
  );
}

function VerbForms({ order, form, onClose }: { order: OrderBox; form: OpenForm; onClose: () => void }) {
  switch (form.verb) {
    case "cancel":
      return <CancelForm order={order} onClose={onClose} />;
    case "move":
      return <MoveForm order={order} onClose={onClose} />;
    case "refund":
      return <RefundForm order={order} onClose={onClose} />;
    case "short":
      return <ShortForm order={order} onClose={onClose} />;
    case "note":
      return <NoteForm key={form.note?.id ?? "new"} order={order} note={form.note} onClose={onClose} />;
  }
}
