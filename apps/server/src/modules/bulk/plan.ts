import { createHash } from "node:crypto";

import type { BulkPlan } from "@marketday/contracts/admin/bulk";
import { dateInZone } from "@marketday/domain/calendar-date";
import { cents, formatUsd, toDollars } from "@marketday/domain/money";
import { GIVE_STEP_UP_CENTS, giveLimitCents, STAFF_SESSION } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import type { SelectedBox } from "./select-boxes.ts";

/** What happens to the money of one box. Cents. */
export interface BoxEffect {
  /** What goes back, is recorded, is charged or is taken off. */
  amountCents: number;
  backCents: number;
  creditCents: number;
  unchargedCents: number;
  uncollectedCents: number;
  /** Delivery fees that are taken off, and those that stay because orders are closed. */
  feeOffCents: number;
  feeKeptCents: number;
}

export const NO_EFFECT: BoxEffect = {
  amountCents: 0,
  backCents: 0,
  creditCents: 0,
  unchargedCents: 0,
  uncollectedCents: 0,
  feeOffCents: 0,
  feeKeptCents: 0,
};

/** A plan with its boxes, for who carries it out. `vendorMailsOf`: emails to vendors about some of them. */
export interface Planned {
  boxes: readonly { box: SelectedBox; effect: BoxEffect }[];
  plan: BulkPlan;
  vendorMailsOf: (boxes: readonly SelectedBox[]) => Promise<number>;
}

/** What an action does to a box; null: it is so already. @throws AppError to refuse it */
type Effect = (box: SelectedBox) => BoxEffect | null;

interface PlanOptions {
  /** What else the plan depends on, beside the boxes as they are. */
  about: readonly unknown[];
  mails: (boxes: readonly SelectedBox[]) => number;
  vendorMailsOf?: Planned["vendorMailsOf"];
  /** Whether it makes sheets of some of them stale. */
  isOnSheets?: (boxes: readonly SelectedBox[]) => Promise<boolean>;
}

const sumOf = (boxes: Planned["boxes"], part: keyof BoxEffect) =>
  toDollars(cents(boxes.reduce((sum, { effect }) => sum + effect[part], 0)));

/** What an action would do to these boxes. Nothing is written. */
export async function planBoxes(
  { now }: Pick<Context, "now">,
  selected: readonly SelectedBox[],
  effectOf: Effect,
  { about, mails, vendorMailsOf = () => Promise.resolve(0), isOnSheets = () => Promise.resolve(false) }: PlanOptions,
): Promise<Planned> {
  const boxes: { box: SelectedBox; effect: BoxEffect }[] = [];
  const refused: BulkPlan["refused"] = [];
  for (const box of selected)
    try {
      const effect = effectOf(box);
      if (effect) boxes.push({ box, effect });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ orderId: box.id, name: box.name, reason: error.message });
    }
  const changed = boxes.map(({ box }) => box);
  const days = new Map(
    changed
      .filter(({ day, time_zone: zone }) => day > dateInZone(now, zone))
      .map(({ delivery_id: id, hub, day }) => [id, { hub, day }]),
  );
  const token = createHash("sha256")
    .update(
      JSON.stringify([
        about,
        selected.map(({ id, version }) => [id, version]),
        boxes.map(({ box, effect }) => [box.id, effect]),
        refused.map(({ orderId, reason }) => [orderId, reason]),
      ]),
    )
    .digest("base64url");
  return {
    boxes,
    vendorMailsOf,
    plan: {
      boxes: boxes.map(({ box, effect }) => ({
        orderId: box.id,
        name: box.name,
        amount: toDollars(cents(effect.amountCents)),
      })),
      unchanged: selected.length - boxes.length - refused.length,
      refused,
      back: sumOf(boxes, "backCents"),
      credit: sumOf(boxes, "creditCents"),
      uncharged: sumOf(boxes, "unchargedCents"),
      uncollected: sumOf(boxes, "uncollectedCents"),
      amount: sumOf(boxes, "amountCents"),
      feeOff: sumOf(boxes, "feeOffCents"),
      feeKept: sumOf(boxes, "feeKeptCents"),
      isOnSheets: await isOnSheets(changed),
      mails: mails(changed),
      vendorMails: await vendorMailsOf(changed),
      early: [...days.values()],
      overLimit: null,
      token,
    },
  };
}

/**
 * 409 for a plan that is not done: `refused` while a box is refused, in the words of that box when it is the only one, else `conflict`; both
 * with the plan as `current`.
 */
export function notDone({ plan }: Planned, selected: number): AppError {
  const { refused } = plan;
  const [first] = refused;
  if (first) {
    const message =
      selected === 1
        ? first.reason
        : `${refused.map(({ orderId, reason }) => `Order ${orderId}: ${reason}`).join("\n")}\nNothing was done.`;
    return new AppError(409, message, { code: "refused", current: plan });
  }
  return new AppError(
    409,
    "These orders were changed in the meantime. Nothing was done. Look at what it does now, then do it.",
    { code: "conflict", current: plan },
  );
}

/** @throws AppError as `notDone` unless the plan is the one that the person saw, and no box is refused */
export function requireSeen(planned: Planned, token: string, selected: number): void {
  if (planned.plan.refused.length > 0 || planned.plan.token !== token) throw notDone(planned, selected);
}

/** What goes back of each hub's boxes, cents. */
const leavingOf = ({ boxes }: Planned): Map<number, number> => {
  const sums = new Map<number, number>();
  for (const { box, effect } of boxes)
    sums.set(box.hub_id, (sums.get(box.hub_id) ?? 0) + effect.backCents + effect.creditCents);
  return sums;
};

/** The least limit of a market in which more goes back than the person may give, cents; null: none. */
export function overLimitCents({ actor }: Pick<Context, "actor">, planned: Planned): number | null {
  const { grants } = requireStaff(actor);
  const over = [...leavingOf(planned)].flatMap(([hubId, sum]) => {
    const limit = giveLimitCents(grants, "orders.cancel", hubId);
    return limit !== null && sum > limit ? [limit] : [];
  });
  return over.length > 0 ? Math.min(...over) : null;
}

/** @throws AppError 403 `over_limit`; `step_up_required` from `GIVE_STEP_UP_CENTS` on without a proof of identity of the last five minutes */
export function requireMayGive(ctx: Context, planned: Planned): void {
  const limit = overLimitCents(ctx, planned);
  if (limit !== null)
    throw new AppError(
      403,
      `That gives back more than the ${formatUsd(cents(limit))} that you may give back at once. Choose fewer orders, or ask a manager.`,
      { code: "over_limit", limit: toDollars(cents(limit)) },
    );
  const sum = [...leavingOf(planned).values()].reduce((total, each) => total + each, 0);
  const { steppedUpAt } = requireStaff(ctx.actor);
  const isFresh = steppedUpAt !== null && ctx.now.getTime() - steppedUpAt.getTime() <= STAFF_SESSION.stepUpMs;
  if (sum >= GIVE_STEP_UP_CENTS && !isFresh)
    throw new AppError(403, "Confirm that it is you first.", { code: "step_up_required" });
}
