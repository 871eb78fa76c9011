import type { Refused } from "../../gateways/payments/refusals.ts";
import { AppError } from "../../lib/app-error.ts";

/** A refused payment or card as the error of the call: 402, or 503 when the market can take no card. */
export const refusedPayment = ({ code, reason }: Refused): AppError =>
  code === "payments_down"
    ? new AppError(503, reason, { code }, { "retry-after": "5" })
    : new AppError(402, reason, { code });

/** Whether it is neither the card's nor the shopper's doing, which does not count as a decline (docs/product.md §17 "Limits on money"). */
export const isUnavailable = (code: string | undefined): boolean =>
  code === "payments_down" || code === "bank_unavailable";
