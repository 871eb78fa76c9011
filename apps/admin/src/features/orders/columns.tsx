import { type Column } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import type { DayBox } from "./api.ts";
import { boxStatus, moneyStatus, nameOf } from "./format.ts";

import s from "./orders.module.css";

/** Of a cancelled box its state, unless money goes back. */
function BoxMoneyMark({ box: { status, money } }: { box: DayBox }) {
  const isOver = status === "cancelled" && money.state !== "back";
  const { shape, word } = isOver ? boxStatus(status) : moneyStatus(money);
  return (
    <StatusMark shape={shape} quiet>
      {word}
    </StatusMark>
  );
}

const stopOf = ({ driver, stop }: DayBox): string => (driver === null || stop === null ? "" : t.stopOf(driver, stop));

/** The columns of the boxes of a day; four of them stay beside the panel of an order. */
export const columns: readonly Column<DayBox>[] = [
  {
    key: "tote",
    head: t.tote,
    width: "xs",
    beside: "xs",
    narrow: "start",
    cell: ({ tote }) =>
      tote !== null && (
        <>
          <b className={s.tote}>{tote}</b>
          <span className={s.tag}>
            <ToteTag number={tote} />
          </span>
        </>
      ),
  },
  { key: "order", head: t.order, width: "sm", spare: true, cell: ({ orderId }) => formatOrderNumber(orderId) },
  {
    key: "name",
    head: t.customer,
    beside: "auto",
    narrow: "title",
    cell: ({ name }) => <b className={s.name}>{nameOf(name)}</b>,
  },
  {
    key: "place",
    head: t.where,
    narrow: "note",
    cell: ({ place, isPickup }) => t.place(isPickup, place),
  },
  { key: "stop", head: t.stop, width: "xs", cell: stopOf },
  { key: "units", head: t.items, width: "xs", numeric: true, spare: true, cell: ({ units }) => units },
  {
    key: "total",
    head: t.total,
    width: "amount",
    beside: "amount",
    numeric: true,
    narrow: "end",
    cell: ({ total }) => <Money amount={total} />,
  },
  {
    key: "money",
    head: t.money,
    width: "money",
    beside: "money",
    narrow: "endNote",
    cell: (box) => <BoxMoneyMark box={box} />,
  },
  {
    key: "status",
    head: t.status,
    width: "sm",
    cell: ({ status }) => {
      const { shape, word } = boxStatus(status);
      return (
        <StatusMark shape={shape} quiet>
          {word}
        </StatusMark>
      );
    },
  },
  {
    key: "notes",
    head: t.notes,
    width: "xs",
    numeric: true,
    cell: ({ hasNotes }) =>
      hasNotes && (
        <span className={s.flag}>
          <Icon name="memo" size="sm" />
          <VisuallyHidden>{t.hasNotes}</VisuallyHidden>
        </span>
      ),
  },
];
