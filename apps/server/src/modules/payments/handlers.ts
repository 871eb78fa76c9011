import type { Tx } from "@marketday/db";

import type { ChargeState } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import type { PurchaseRow, Purpose } from "./purchase-store.ts";

/** The modules above `payments` that own what a charge pays for. */
export interface ChargeHandlers {
  /**
   * The bank's challenge of a checkout was answered, `charge` is its present state. Returns what became of the attempt; null:
   * it does not wait for a challenge.
   */
  challengeAnswered(ctx: Context, attemptId: string, charge: ChargeState): Promise<string | null>;
  /** Hands over what was bought, in the transaction that books the purchase. */
  grant: Readonly<Record<Purpose["kind"], (ctx: Context, tx: Tx, purchase: PurchaseRow) => Promise<void>>>;
}

let registered: ChargeHandlers | null = null;

/** Registers the handlers, once, when the server or a command starts (`create-deps.ts`). */
export function registerChargeHandlers(handlers: ChargeHandlers): void {
  registered = handlers;
}

/** The registered handlers. @throws Error before `registerChargeHandlers` */
export function chargeHandlers(): ChargeHandlers {
  if (!registered) throw new Error("registerChargeHandlers was not called");
  return registered;
}
