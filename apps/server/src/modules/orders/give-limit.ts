import { cents, formatUsd } from "@marketday/domain/money";
import { GIVE_STEP_UP_CENTS, giveLimitCents, STAFF_SESSION } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";

/** @throws AppError 403 `over_limit` with the limit, above what the person's roles may give back at once; `step_up_required` */
export function requireGive(
  { now }: Pick<Context, "now">,
  actor: StaffActor,
  {
    permission,
    hubId,
    amountCents,
  }: { permission: "orders.refund" | "orders.cancel"; hubId: number; amountCents: number },
): void {
  const limit = giveLimitCents(actor.grants, permission, hubId);
  if (limit !== null && amountCents > limit)
    throw new AppError(
      403,
      `You may give back up to ${formatUsd(cents(limit))} at once. Ask someone with a higher limit.`,
      { code: "over_limit", limit, field: "amount" },
    );
  if (amountCents < GIVE_STEP_UP_CENTS) return;
  const { steppedUpAt } = actor;
  if (!steppedUpAt || now.getTime() - steppedUpAt.getTime() > STAFF_SESSION.stepUpMs)
    throw new AppError(403, "Confirm that it is you first.", { code: "step_up_required" });
}
