import { type Column } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/payouts";

import type { DueLine } from "./api.ts";
import { otherOf } from "./format.ts";

import s from "./payouts.module.css";

/** What is taken off, or nothing: read only where it is something. */
const Quiet = ({ amount }: { amount: number }) => (
  <span translate="no" className={s.quietAmount}>
    {formatMoney(amount)}
  </span>
);

/** An amount to pay; below zero it is red. */
const Due = ({ amount }: { amount: number }) => (
  <b translate="no" className={s.due} data-below={amount < 0 ? "" : undefined}>
    {formatMoney(amount)}
  </b>
);

/** What is special about a vendor's amount. */
export const DueState = ({ line: { due, vendor } }: { line: Pick<DueLine, "due" | "vendor"> }) => (
  <span className={s.states}>
    {due < 0 && (
      <StatusMark shape="off" quiet>
        {t.carriedOver}
      </StatusMark>
    )}
    {vendor.email === null && (
      <StatusMark shape="due" quiet>
        {t.noEmail}
      </StatusMark>
    )}
  </span>
);

export const dueColumns: readonly Column<DueLine>[] = [
  {
    key: "vendor",
    head: t.vendor,
    narrow: "title",
    beside: "auto",
    cell: ({ vendor: { id, name } }) => <VendorMark id={id} name={name} />,
  },
  {
    key: "sales",
    head: t.sales,
    numeric: true,
    width: "sm",
    narrow: "note",
    cell: ({ sales }) => (
      <span translate="no" className={s.sales}>
        <span className={s.narrowWord}>{t.salesBefore}</span>
        {formatMoney(sales)}
      </span>
    ),
  },
  {
    key: "commission",
    head: t.commission,
    numeric: true,
    width: "sm",
    cell: ({ commission }) => <Quiet amount={-commission} />,
  },
  {
    key: "other",
    head: t.other,
    numeric: true,
    width: "sm",
    spare: true,
    cell: (line) => <Quiet amount={otherOf(line)} />,
  },
  {
    key: "due",
    head: t.toPay,
    numeric: true,
    width: "sm",
    narrow: "end",
    beside: "sm",
    cell: ({ due }) => <Due amount={due} />,
  },
  {
    key: "state",
    head: t.state,
    width: "money",
    narrow: "endNote",
    beside: "money",
    cell: (line) => <DueState line={line} />,
  },
];
