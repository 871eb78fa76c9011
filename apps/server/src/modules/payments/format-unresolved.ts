import { cents, formatUsd } from "@marketday/domain/money";

import { formatRefundFailure } from "./refund-failures.ts";
import type { UnresolvedRefund } from "./unresolved-store.ts";

/** "refund ID of order 123: $5.00 did not go back to the card on 2026-12-01. The card has expired or was closed." */
export const formatUnresolved = (refund: UnresolvedRefund): string =>
  `refund ${refund.id} of ${refund.order_id === null ? `payment ${refund.payment_id}` : `order ${refund.order_id}`}: ${formatUsd(cents(refund.amount_cents))} did not go back to the card on ${refund.failed_at.toISOString().slice(0, 10)}. ${formatRefundFailure(refund.failure)}`;
