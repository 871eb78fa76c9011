import type { MovePlan, PlacePlan } from "@marketday/contracts/admin/order-changes";
import type { CancelPlan } from "@marketday/contracts/admin/orders";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/orders";

import type { RefundTo } from "./api.ts";

/** What cancelling does, in one line: "$70.30 back to the card, 2 emails". */
export function effectOf(plan: CancelPlan, refundTo: RefundTo): string {
  const parts: [number, (amount: string) => string][] = [
    [refundTo === "card" ? plan.back : 0, t.effectCard],
    [plan.credit, t.effectCredit],
    [plan.uncharged, t.effectUncharged],
    [plan.uncollected, t.effectUncollected],
    [plan.bank, t.effectBank],
    [plan.earlier, t.effectEarlier],
  ];
  const money = parts.flatMap(([amount, words]) => (amount > 0 ? words(formatMoney(amount)) : []));
  return [...(money.length > 0 ? money : [t.effectNothing]), t.effectMails(plan.mails)].join(", ");
}

/** What another place does: "Carmel → Lakeside Barn. $8.95 delivery comes off." */
export const placeEffect = ({ from, to, feeOff, feeKept, isOnSheets }: PlacePlan): string =>
  [
    t.placeFromTo(from, to),
    feeOff > 0 && t.placeFeeOff(formatMoney(feeOff)),
    feeKept > 0 && t.placeFeeKept(formatMoney(feeKept)),
    isOnSheets && t.placeOnSheets,
  ]
    .filter(Boolean)
    .join(" ");

/** What another day does. */
export const moveEffect = ({ joins, beside, feeOff, needsCard, isSkipped, unsold, mails }: MovePlan): string =>
  [
    joins !== null && t.moveJoins(joins),
    beside !== null && t.moveBeside(beside),
    feeOff > 0 && t.placeFeeOff(formatMoney(feeOff)),
    needsCard && t.moveNeedsCard,
    isSkipped && t.moveSkipped,
    unsold.length > 0 && t.moveUnsold(unsold),
    t.movePrices(t.effectMails(mails)),
  ]
    .filter(Boolean)
    .join(" ");
