import type { BoxMoney } from "@marketday/contracts/admin/orders";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import type { z } from "zod";

import * as t from "#messages/orders";

import type { DayBox } from "./api.ts";

type Money = z.infer<typeof BoxMoney>;

const moneyShapes: Record<Money["state"], MarkShape> = {
  none: "ok",
  held: "ahead",
  due: "due",
  declined: "late",
  paid: "ok",
  back: "back",
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
export const moneyStatus = ({ state, amount }: Money): Status => ({
  shape: moneyShapes[state],
  word: t.moneyStates[state](formatMoney(amount)),
});

export const boxStatus = (status: DayBox["status"]): Status => ({
  shape: statusShapes[status],
  word: t.statuses[status],
});

/** The name of who ordered. */
export const nameOf = (name: string): string => (name === "" ? t.deletedAccount : name);
