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
