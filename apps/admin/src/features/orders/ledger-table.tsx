import type { OrderBox } from "@marketday/contracts/admin/orders";

import * as t from "#messages/orders";

import s from "./orders.module.css";

/** "−5.94": an amount of the ledger, without its currency. */
export const formatEntry = (amount: number): string =>
  `${amount < 0 ? "−" : ""}${Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;

/** The bookings of a box as columns, each of which sums to zero. Nothing for a person who may not see them. */
export function LedgerTable({ order: { ledger } }: { order: OrderBox }) {
  if (ledger === null || ledger.rows.length === 0) return null;
  const { columns, rows } = ledger;
  return (
    // It scrolls sideways with the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={s.ledgerFrame} role="group" aria-label={t.ledger} tabIndex={columns.length > 3 ? 0 : undefined}>
      <table className={s.ledger}>
        <thead>
          <tr>
            <th scope="col">{t.ledger}</th>
            {columns.map(({ what, at }) => (
              <th key={`${what} ${at}`} scope="col">
                {t.ledgerChanges[what] ?? what}
              </th>
            ))}
            <th scope="col">{t.ledgerNow}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ account, name, amounts, now }) => (
            <tr key={`${account} ${name}`}>
              <th scope="row">{name ?? t.accounts[account] ?? account}</th>
              {amounts.map((amount, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- A column has no other key.
                <td key={place}>{amount === 0 ? "" : formatEntry(amount)}</td>
              ))}
              <td>{formatEntry(now)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.ledgerSum}</th>
            {columns.map(({ what, at }, place) => (
              <td key={`${what} ${at}`}>{formatEntry(sumOf(rows.map(({ amounts }) => amounts[place] ?? 0)))}</td>
            ))}
            <td>{formatEntry(sumOf(rows.map(({ now }) => now)))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
