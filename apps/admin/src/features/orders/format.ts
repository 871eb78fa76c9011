import type { BoxMoney } from "@marketday/contracts/admin/orders";
import { calendarDate, formatShort } from "@marketday/domain/calendar-date";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/orders";

import type { DayBox } from "./api.ts";

const moneyShapes: Record<BoxMoney["state"], MarkShape> = {
  none: "ok",
  held: "ahead",
  to_charge: "ahead",
  due: "due",
  declined: "late",
  paid: "ok",
  back: "back",
  back_failed: "late",
  written_off: "off",
};

const statusShapes: Record<DayBox["status"], MarkShape> = {
  open: "ahead",
  packing: "now",
  delivered: "done",
  cancelled: "off",
};

/** A state as its mark and its word. */
interface Status {
  shape: MarkShape;
  word: string;
}

/** "Collect $31.20" */
export const moneyStatus = ({ state, amount }: BoxMoney): Status => ({
  shape: moneyShapes[state],
  word: t.moneyStates[state](formatMoney(amount)),
});

export const boxStatus = (status: DayBox["status"]): Status => ({
  shape: statusShapes[status],
  word: t.statuses[status],
});

/** The name of who ordered. */
export const nameOf = (name: string): string => (name === "" ? t.deletedAccount : name);

/** "Thu, Dec 3" */
export const formatMoveDay = (day: string): string => formatShort(calendarDate(day), calendarDate(day));
