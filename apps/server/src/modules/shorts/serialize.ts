import type { DayShorts, ShortPlan } from "@marketday/contracts/admin/shorts";
import { lineName } from "@marketday/domain/cart";
import { cents, toDollars } from "@marketday/domain/money";
import { can } from "@marketday/domain/staff";

import type { StaffActor } from "../identity/context.ts";
import type { MoneyBack } from "../orders/refund-paid.ts";
import type { VariantShortPlan } from "../orders/short-variant.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import type { DayItemRow, ShortDayRow } from "./day-items-sql.ts";
import type { ShortPlanned } from "./plan-short.ts";
import { leavingCents } from "./settle-short.ts";
import { type ShortageRow, valuesOf } from "./store.ts";

const dollars = (amount: number): number => toDollars(cents(amount));

const toItem = ({ product, variant, picture, eachCents, inventory, ...item }: DayItemRow, isNext: boolean) => ({
  ...item,
  title: lineName(product, variant),
  image: serializePictureOrNull(picture),
  each: dollars(eachCents),
  left: isNext ? (inventory ?? 0) : null,
});

const toShortage = (row: ShortageRow, actor: StaffActor): DayShorts["shortages"][number] => ({
  ...valuesOf(row),
  id: row.id,
  variantId: row.variant_id,
  // A check of the database holds the states.
  state: row.state as "counted" | "held" | "settled",
  action: row.action && toStaffAction(row.action, actor),
  withheld: row.withheld,
  countedBy: row.counted_by,
  countedAt: row.counted_at.toISOString(),
  settledBy: row.settled_by,
  settledAt: row.settled_at?.toISOString() ?? null,
  version: row.version,
});

/** A delivery day with its items and shortages: those to settle first. */
export function serializeShorts(
  { day, shortages }: { day: ShortDayRow; shortages: readonly ShortageRow[] },
  date: string,
  actor: StaffActor,
): DayShorts {
  const isSettled = ({ state }: ShortageRow) => state === "settled";
  return {
    hub: day.hub,
    day: date,
    cutoffAt: day.cutoff_at.toISOString(),
    isFrozen: day.is_frozen,
    items: day.items.map((item) => toItem(item, day.is_next)),
    shortages: [...shortages.filter((row) => !isSettled(row)), ...shortages.filter(isSettled)].map((row) =>
      toShortage(row, actor),
    ),
  };
}

const toBack = (money: MoneyBack, to: "card" | "credit") => ({
  back: dollars(leavingCents(money, to)),
  card: dollars(to === "card" ? money.backCents : 0),
  credit: dollars(money.creditCents),
  door: dollars(money.uncollectedCents),
  uncharged: dollars(money.unchargedCents),
  bank: dollars(money.bankCents),
  earlier: dollars(money.earlierCents),
});
const NO_MONEY = { back: 0, card: 0, credit: 0, door: 0, uncharged: 0, bank: 0, earlier: 0 };

/** What the accounts of a change of sales get less. */
function toFalls({ entries }: VariantShortPlan, bearer: "vendor" | "market") {
  const fall = (...accounts: string[]): number =>
    entries.reduce((sum, { account, amountCents }) => sum - (accounts.includes(account) ? amountCents : 0), 0);
  return {
    vendor: dollars(fall("vendor")),
    market: dollars(bearer === "market" ? fall("refunds") : 0),
    commission: dollars(fall("commission")),
    tip: dollars(fall("tips")),
    tax: dollars(fall("tax")),
    fees: dollars(fall("card_fees", "delivery_fees")),
    // The market gave these off, so their account is below zero.
    discounts: dollars(-fall("discounts", "write_offs")),
  };
}

/** A plan as a person reads it: names of shoppers only with `people.read` in the hub. */
export function serializePlan(
  { boxes, short }: ShortPlanned,
  { refundTo, bearer }: { refundTo: "card" | "credit"; bearer: "vendor" | "market" },
  actor: StaffActor,
  hubId: number,
): ShortPlan {
  const losses = new Map(short?.boxes.map((loss) => [loss.boxId, loss]));
  const showsNames = can(actor.grants, "people.read", hubId);
  return {
    shares: boxes.map(({ boxId, name, placed_at: placedAt, is_subscription: isSubscription, brand, last4, ...box }) => {
      const loss = losses.get(boxId);
      return {
        ...box,
        boxId,
        name: showsNames ? name : "",
        placedAt: placedAt.toISOString(),
        isSubscription,
        cardName: brand !== null && last4 !== null ? `${brand} ${last4}` : null,
        money: short && (loss ? toBack(loss, refundTo) : NO_MONEY),
      };
    }),
    money: short && { ...toBack(short, refundTo), ...toFalls(short, bearer) },
    mails: short?.mails ?? 0,
    vendorMails: short?.vendorMails ?? 0,
  };
}
