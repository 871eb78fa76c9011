import { useMarketNow } from "@marketday/client/clock.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useState } from "react";

import * as t from "#messages/customers";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { formatEntry } from "../orders/ledger-table.tsx";
import { Section } from "../orders/section.tsx";
import type { CreditEntry, Customer } from "./api.ts";
import { CellLink } from "./cell-link.tsx";
import { balancesOf } from "./credit-balances.ts";
import { bookingName, formatDate } from "./format.ts";

import s from "./customers.module.css";

/** As many entries as are listed before one asks for more. */
const FIRST_ENTRIES = 5;
/** The server lists no more. */
const ENTRIES_MAX = 100;

/** The ledger of their store credit, newest first, each entry with the credit after it. */
export function CreditSection({ customer, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  const [isWhole, setWhole] = useState(false);
  const { credit, creditEntries } = customer;
  const balances = balancesOf(credit, creditEntries);
  const shown = isWhole ? creditEntries : creditEntries.slice(0, FIRST_ENTRIES);
  return (
    <Section id="customer-credit" title={t.creditTitle} note={<b>{formatMoney(credit)}</b>}>
      {creditEntries.length === 0 ? (
        <p className={s.quiet}>{t.noCredit}</p>
      ) : (
        <div className={s.tableFrame}>
          <table className={s.table} aria-label={t.creditTitle}>
            <thead>
              <tr>
                <th scope="col">{t.when}</th>
                <th scope="col">{t.what}</th>
                <th scope="col" className={s.number}>
                  {t.amount}
                </th>
                <th scope="col" className={s.number}>
                  {t.balance}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((entry, place) => (
                // An entry has no key, and two may be alike.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={`${entry.at} ${place}`}>
                  <td>{formatDate(entry.at, zone, now)}</td>
                  <td className={s.words}>
                    <Booking entry={entry} />
                  </td>
                  <td className={s.number}>{formatEntry(entry.amount)}</td>
                  <td className={s.number}>{formatEntry(balances[place] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {creditEntries.length > FIRST_ENTRIES && (
        <Compact size="sm">
          <Button kind="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t.fewerOrders : t.moreOrders(creditEntries.length - FIRST_ENTRIES)}
          </Button>
        </Compact>
      )}
      {isWhole && creditEntries.length >= ENTRIES_MAX && <p className={s.quiet}>{t.creditOlder}</p>}
    </Section>
  );
}

/** "Given, by Ada: for the late box" */
function Booking({ entry }: { entry: CreditEntry }) {
  const { reason, by, orderId } = entry;
  return (
    <>
      <span>
        {bookingName(entry)}
        {orderId !== null && (
          <>
            {" "}
            <CellLink to={paths.order(orderId)}>{formatOrderNumber(orderId)}</CellLink>
          </>
        )}
      </span>
      {(by !== null || reason !== "") && <small>{[by, reason].filter(Boolean).join(": ")}</small>}
    </>
  );
}
