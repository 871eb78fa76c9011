import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import { calendarDate } from "@marketday/domain/calendar-date";
import type { Column } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/order-list";
import * as orders from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { boxStatus, moneyStatus, nameOf } from "../orders/format.ts";
import { formatDay, formatStop } from "./format.ts";

import s from "./order-list.module.css";

/** The columns that there are, in the order in which the dialog lists them. */
export const COLUMN_KEYS = [
  "day",
  "market",
  "tote",
  "order",
  "name",
  "where",
  "stop",
  "lines",
  "units",
  "matching",
  "total",
  "money",
  "status",
  "placed",
  "flags",
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];
const isColumn = (key: string): key is ColumnKey => (COLUMN_KEYS as readonly string[]).includes(key);

const flagIcons: Record<ListedOrder["flags"][number], { icon: IconName }> = {
  note: { icon: "memo" },
  auto: { icon: "again" },
  first: { icon: "star" },
  problem: { icon: "flag" },
};

/** Of a cancelled box its state, unless money goes back. */
function MoneyMark({ order: { status, money } }: { order: ListedOrder }) {
  const isOver = status === "cancelled" && money.state !== "back";
  const { shape, word } = isOver ? boxStatus(status) : moneyStatus(money);
  return (
    <StatusMark shape={shape} quiet>
      {word}
    </StatusMark>
  );
}

function Status({ status }: Pick<ListedOrder, "status">) {
  const { shape, word } = boxStatus(status);
  return (
    <StatusMark shape={shape} quiet>
      {word}
    </StatusMark>
  );
}

const Flags = ({ flags }: Pick<ListedOrder, "flags">) =>
  flags.map((flag) => (
    <span key={flag} className={s.flag} title={t.flags[flag]}>
      <Icon name={flagIcons[flag].icon} size="sm" />
      <VisuallyHidden>{t.flags[flag]}</VisuallyHidden>
    </span>
  ));

const Tote = ({ tote }: Pick<ListedOrder, "tote">) =>
  tote !== null && (
    <>
      <b className={s.tote}>{tote}</b>
      <span className={s.tag}>
        <ToteTag number={tote} />
      </span>
    </>
  );

/** Under the name on a phone: the day, where it goes, the stop. */
const narrowNote = (order: ListedOrder): string =>
  t.narrowNote([formatDay(calendarDate(order.day)), order.place, formatStop(order)].filter(Boolean));

const all: Readonly<Record<ColumnKey, Column<ListedOrder>>> = {
  day: {
    key: "day",
    head: t.columnNames.day,
    width: "sm",
    sortable: true,
    cell: ({ day }) => formatDay(calendarDate(day)),
  },
  market: { key: "market", head: t.columnNames.market, width: "money", cell: ({ hub }) => hub.name },
  tote: {
    key: "tote",
    head: t.columnNames.tote,
    width: "xs",
    beside: "xs",
    narrow: "start",
    sortable: true,
    cell: Tote,
  },
  order: {
    key: "order",
    head: t.columnNames.order,
    width: "sm",

    cell: ({ orderId }) => <span className={s.quiet}>{formatOrderNumber(orderId)}</span>,
  },
  name: {
    key: "name",
    head: t.columnNames.name,
    beside: "auto",
    narrow: "title",
    sortable: true,
    cell: ({ name }) => <b className={s.name}>{nameOf(name)}</b>,
  },
  where: { key: "where", head: t.columnNames.where, cell: ({ place, isPickup }) => orders.place(isPickup, place) },
  stop: {
    key: "stop",
    head: t.columnNames.stop,
    width: "xs",

    cell: (order) => <span className={s.quiet}>{formatStop(order)}</span>,
  },
  lines: {
    key: "lines",
    head: t.columnNames.lines,
    width: "xs",
    numeric: true,
    sortable: true,

    cell: ({ lines }) => lines,
  },
  units: {
    key: "units",
    head: t.columnNames.units,
    width: "xs",
    numeric: true,

    cell: ({ units }) => units,
  },
  matching: {
    key: "matching",
    head: t.matchingHead,
    width: "xs",
    numeric: true,
    cell: ({ matchingUnits }) => matchingUnits,
  },
  total: {
    key: "total",
    head: t.columnNames.total,
    width: "amount",
    beside: "amount",
    numeric: true,
    sortable: true,
    narrow: "end",
    cell: ({ total }) => <Money amount={total} />,
  },
  money: {
    key: "due",
    head: t.columnNames.money,
    width: "money",
    beside: "money",
    sortable: true,
    narrow: "endNote",
    cell: (order) => <MoneyMark order={order} />,
  },
  status: { key: "status", head: t.columnNames.status, width: "sm", cell: Status },
  placed: {
    key: "placed",
    head: t.columnNames.placed,
    width: "sm",
    sortable: true,

    cell: ({ placedAt, hub }) => formatDay(placedAt, hub.timeZone),
  },
  flags: { key: "flags", head: t.columnNames.flags, width: "xs", numeric: true, cell: Flags },
};

/** Room that a column needs, px; of those without a fixed width the least in which it can be read. */
const ROOM: Readonly<Record<NonNullable<Column<unknown>["width"]>, number>> = {
  xs: 72,
  sm: 120,
  md: 200,
  lg: 320,
  amount: 96,
  money: 152,
};
const LEAST_ROOM: Readonly<Partial<Record<ColumnKey, number>>> = { name: 140, where: 150 };
/** The boxes before the rows. */
const BOX_ROOM = 60;
/** What is left out first where the list is too narrow: nothing is cut. */
const DROPPED: readonly ColumnKey[] = [
  "placed",
  "units",
  "stop",
  "order",
  "lines",
  "status",
  "market",
  "where",
  "flags",
  "day",
  "matching",
  "money",
  "tote",
  "total",
];

const roomOf = (key: ColumnKey): number => LEAST_ROOM[key] ?? ROOM[all[key].width ?? "sm"];

/** The columns that have room in a width, px. */
export function fittingColumns(keys: readonly ColumnKey[], width: number): readonly ColumnKey[] {
  let left = keys;
  for (const key of DROPPED) {
    if (left.reduce((sum, one) => sum + roomOf(one), BOX_ROOM) <= width) return left;
    left = left.filter((one) => one !== key);
  }
  return left;
}

/** The columns to show, in their order; the customer is always one of them. */
export const columnsOf = (keys: readonly ColumnKey[]): Column<ListedOrder>[] => keys.map((key) => all[key]);

const narrowColumns: Column<ListedOrder>[] = [
  all.tote,
  all.name,
  { key: "note", head: t.columnNames.where, narrow: "note", cell: narrowNote },
  all.total,
  all.money,
];
/** Two lines of a row on a phone, whatever is chosen. */
export const phoneColumns = (): Column<ListedOrder>[] => narrowColumns;

/** The columns of a list for which none were chosen. */
export function usualColumns({ isOneDay, isOneHub, hasMatch }: Record<"isOneDay" | "isOneHub" | "hasMatch", boolean>) {
  const left: readonly ColumnKey[] = [
    ...(isOneHub ? [] : (["market"] as const)),
    ...(isOneDay ? [] : (["day"] as const)),
    "tote",
    "order",
    "name",
    "where",
    ...(isOneDay ? (["stop"] as const) : []),
  ];
  return [...left, hasMatch ? "matching" : "lines", "total", "money", "status", "flags"] satisfies ColumnKey[];
}

/** The columns that an address or a view names; the usual ones without any. */
export function chosenColumns(keys: readonly string[] | null, usual: readonly ColumnKey[]): readonly ColumnKey[] {
  const known = [...new Set((keys ?? []).filter((key) => isColumn(key)))];
  if (known.length === 0) return usual;
  return known.includes("name") ? known : ["name", ...known];
}
