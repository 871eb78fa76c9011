import { cents, formatUsd } from "@marketday/domain/money";
import { GIVE_STEP_UP_CENTS, giveLimitCents, STAFF_SESSION } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import type { StaffCustomer } from "./staff-customer.ts";

/**
 * Checks that a person of the staff may give so much credit at once (docs/product.md §18).
 * @returns the market in which they may; null: in all markets
 * @throws AppError 403 `over_limit`, `step_up_required`
 */
export function requireMayGrant(
  { now }: Pick<Context, "now">,
  { permittedIds, actor }: Pick<StaffCustomer, "permittedIds" | "actor">,
  amountCents: number,
): number | null {
  const limits = permittedIds.map((hubId) => ({ hubId, limit: giveLimitCents(actor.grants, "credit.grant", hubId) }));
  const place = limits.find(({ limit }) => limit === null || limit >= amountCents);
  if (!place) {
    const most = Math.max(...limits.map(({ limit }) => limit ?? 0));
    throw new AppError(403, `You may give at most ${formatUsd(cents(most))} at once. Nothing was done.`, {
      code: "over_limit",
      limit: most / 100,
    });
  }
  const { steppedUpAt } = actor;
  const isProven = steppedUpAt !== null && now.getTime() - steppedUpAt.getTime() <= STAFF_SESSION.stepUpMs;
  if (amountCents >= GIVE_STEP_UP_CENTS && !isProven)
    throw new AppError(403, "Confirm that it is you first.", { code: "step_up_required" });
  return place.hubId;
}
