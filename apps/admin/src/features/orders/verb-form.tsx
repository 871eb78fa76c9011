import { messageOf } from "@marketday/client/messages.ts";
import type { LedgerPlan } from "@marketday/contracts/admin/order-changes";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/orders";

import { AlertBox } from "../session/alert-box.tsx";
import { formKeys } from "../shell/form-keys.ts";
import { formatEntry } from "./ledger-table.tsx";
import { Heading } from "./section.tsx";

import s from "./orders.module.css";

interface VerbFormProps {
  /** Of its title: one form is open at a time. */
  id: string;
  title: string;
  problems: FormProblem[];
  error: string | null;
  /** Another person changed the order since it was opened. */
  isChanged: boolean;
  /** With the amount: "Refund $7.94". */
  submitLabel: string;
  busy: string | false;
  /** Why it can't be sent yet, beside the button. */
  waits?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The form of a verb in the foot of the panel: its fields, what it does, and one button. */
export function VerbForm({ id, title, children, ...form }: VerbFormProps) {
  const { problems, error, isChanged, submitLabel, busy, waits = null, onSubmit, onClose } = form;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={s.cancel} aria-labelledby={id} onKeyDown={formKeys(onClose)}>
      <Heading id={id}>{title}</Heading>
      <Form problems={problems} onSubmit={onSubmit}>
        {children}
        {isChanged && (
          <div role="alert">
            <Banner tone="information">{t.verbConflict}</Banner>
          </div>
        )}
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" disabled={waits !== null} busy={busy}>
              {submitLabel}
            </Button>
            <Button kind="outline" onClick={onClose}>
              {t.leaveForm}
            </Button>
          </Compact>
          {waits !== null && <span className={s.quiet}>{waits}</span>}
        </div>
      </Form>
    </section>
  );
}

interface PlannedLedgerProps {
  ledger: LedgerPlan;
  /** It is of what was typed before; the lines for what is typed now are not there yet. */
  isOld: boolean;
}

/** The lines that will be in the ledger, with their sum, which is zero. */
export function PlannedLedger({ ledger, isOld }: PlannedLedgerProps) {
  if (ledger.length === 0) return null;
  const sum = ledger.reduce((all, { amount }) => all + Math.round(amount * 100), 0) / 100;
  return (
    <table className={s.ledger} data-planned="" aria-busy={isOld || undefined}>
      <thead>
        <tr>
          <th scope="col">{t.ledgerPlanned}</th>
          <th scope="col">{t.amount}</th>
        </tr>
      </thead>
      <tbody>
        {ledger.map(({ account, name, amount }) => (
          <tr key={`${account} ${name}`}>
            <th scope="row">{name ?? t.accounts[account] ?? account}</th>
            <td>{formatEntry(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.ledgerSum}</th>
          <td>{formatEntry(sum)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Why a plan failed; null: it has not. */
export const planProblem = (error: Error | null): string | null => (error === null ? null : messageOf(error));
