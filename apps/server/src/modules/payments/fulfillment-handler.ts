import type { AnyTx } from "@marketday/db";

import type { Context, CustomerId } from "../identity/context.ts";

/** Called in the transaction that changes where or with which card a customer's automatic orders are placed. */
type OnChange = (ctx: Pick<Context, "deps" | "now">, tx: AnyTx, customerId: CustomerId) => Promise<void>;
let onChange: OnChange | null = null;

/** Registers the handler, once, when the server or a command starts (`create-deps.ts`). */
export function registerFulfillmentHandler(handler: OnChange): void {
  onChange = handler;
}

/**
 * Calls the handler: where, or with which card, a customer's automatic orders are placed has changed. @throws Error before `registerFulfillmentHandler`
 */
export const fulfillmentChanged: OnChange = (ctx, tx, customerId) => {
  if (!onChange) throw new Error("registerFulfillmentHandler was not called");
  return onChange(ctx, tx, customerId);
};
