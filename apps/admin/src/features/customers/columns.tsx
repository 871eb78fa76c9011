import type { CalendarDate } from "@marketday/domain/calendar-date";
import type { Column } from "@marketday/ui/admin/data-table.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/customers";

import type { ListedCustomer } from "./api.ts";
import { formatDateOf, nameOf } from "./format.ts";

import s from "./customers.module.css";

/** Zero is quiet: what is read in this column is who has credit. */
const Credit = ({ amount }: { amount: number }) => (
  <span translate="no" data-none={amount === 0 ? "" : undefined} className={s.credit}>
    {formatMoney(amount)}
  </span>
);

/** The columns of the list; four of them stay beside the panel of a person. */
export const columnsAt = (today: CalendarDate): readonly Column<ListedCustomer>[] => [
  {
    key: "name",
    head: t.name,
    beside: "auto",
    narrow: "title",
    cell: ({ name }) => <b className={s.name}>{nameOf(name)}</b>,
  },
  {
    key: "contact",
    head: t.contact,
    narrow: "note",
    cell: ({ email, phone, found }) => (
      <>
        {[email, phone].filter(Boolean).join(", ")}
        {found !== null && <span className={s.foundNote}>{found}</span>}
      </>
    ),
  },
  { key: "market", head: t.market, width: "sm", spare: true, cell: ({ hub }) => hub?.name ?? t.noMarket },
  { key: "orders", head: t.orders, width: "xs", numeric: true, beside: "xs", cell: ({ orders }) => orders },
  {
    key: "last",
    head: t.lastDay,
    width: "sm",
    beside: "sm",
    narrow: "endNote",
    cell: ({ lastDay }) => (lastDay === null ? t.never : formatDateOf(lastDay, today)),
  },
  {
    key: "credit",
    head: t.credit,
    width: "amount",
    beside: "amount",
    numeric: true,
    narrow: "end",
    cell: ({ credit }) => <Credit amount={credit} />,
  },
];

/** Where a text was found, where it is none of what the row shows. */
export const foundColumn: Column<ListedCustomer> = {
  key: "found",
  head: t.found,
  width: "md",
  cell: ({ found }) => found ?? "",
};
