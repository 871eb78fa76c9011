import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";

import * as t from "#messages/orders";

import { formKeys } from "../shell/form-keys.ts";
import { PartFailed, partBones } from "../shell/late-dialog.tsx";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { openForm, type OpenForm, type Verb } from "./open-form.ts";
import { panelTitleId } from "./panel-title.ts";
import { useCharge } from "./use-charge.ts";
import { useMarkPaid } from "./use-mark-paid.ts";

import s from "./orders.module.css";

const VerbForms = lazyWithRetry(() => import("./verb-forms.tsx"));

interface OrderVerbsProps {
  order: OrderBox;
  form: OpenForm | null;
  onForm: (form: OpenForm | null) => void;
}

/** In place of a form whose code is not there: it has the focus, so what is typed early does nothing to the order. */
function LateForm({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section ref={frame} tabIndex={-1} className={s.cancel} aria-label={label} onKeyDown={formKeys(onClose)}>
      {children}
    </section>
  );
}

/** What can be done with a box, each with its key; the form of a verb in their place. */
export function OrderVerbs({ order, form, onForm }: OrderVerbsProps) {
  const { can } = order;
  useEffect(() => void VerbForms.load(), []);
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
    can.markPaid && {
      keys: t.verbKeys.paid.toLowerCase(),
      label: t.verbPaid(formatMoney(paid.amount)),
      run: paid.record,
    },
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
    const leave = (
      <Button kind="outline" onClick={close}>
        {t.leaveForm}
      </Button>
    );
    return (
      <ErrorBoundary
        key={form.verb}
        fallback={
          <LateForm label={labels[form.verb]} onClose={close}>
            <PartFailed wayOut={leave} />
          </LateForm>
        }
      >
        <Suspense
          fallback={
            <LateForm label={labels[form.verb]} onClose={close}>
              {partBones}
            </LateForm>
          }
        >
          <VerbForms order={order} form={form} onClose={close} />
        </Suspense>
      </ErrorBoundary>
    );
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
            <Kbd keys={t.verbKeys.paid} inButton />
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
