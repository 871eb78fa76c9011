import { dateFromUtc } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { requireStaff } from "../identity/guards.ts";
import { shortVariant } from "../orders/short-variant.ts";
import type { ActionKind } from "../staff-actions/kinds.ts";
import { getsOf, inputOf, shortCountOf } from "./plan-short.ts";
import { findShortage, updateHeldShortage } from "./store.ts";

const Units = z.record(z.string(), z.number());
const ShortActionInput = z.object({
  shortageId: z.number(),
  variantId: z.number(),
  came: z.number(),
  of: z.number(),
  /** Units that each box gets, and had when it was settled. */
  gets: Units,
  demand: Units,
  refundTo: z.enum(["card", "credit"]),
  bearer: z.enum(["vendor", "market"]),
  reason: z.string(),
});
/** What settles a shortage, as the person confirmed it. */
export type ShortActionInput = z.infer<typeof ShortActionInput>;

/** 409: it was refused or undone on another server. */
const notHeld = () =>
  new AppError(409, "This shortage is no longer about to be settled. Nothing was done.", { code: "not_held" });

/** The action that settles a shortage. */
export const shortKind: ActionKind = {
  async run(ctx, action) {
    const input = ShortActionInput.parse(action.input);
    const { db } = ctx.deps;
    const row = await findShortage(db, input.shortageId);
    if (row?.action_id !== action.id || row.state !== "held") return null;
    // It is always of a delivery day.
    const key = { hub: action.hub!.slug, date: dateFromUtc(action.delivery!.day) };
    const isBegun = row.begun_at !== null;
    const demand = getsOf(input.demand)!;
    const left: string[] = [];
    await shortVariant(ctx, { ...shortCountOf(key, input), demand, isBegun }, inputOf(input), {
      async begin(tx) {
        if (!(await updateHeldShortage(tx, action.id, { begun_at: ctx.now }))) throw notHeld();
      },
      leave: (problem) => void left.push(problem),
    });
    await ctx.deps.failpoint("short:lowered");
    const { name } = requireStaff(ctx.actor);
    await updateHeldShortage(db, action.id, { state: "settled", settled_by: name, settled_at: ctx.now });
    return left.length > 0 ? `Not lowered:\n${left.join("\n")}` : null;
  },
  async isBegun({ deps }, action) {
    const row = await findShortage(deps.db, ShortActionInput.parse(action.input).shortageId);
    return row?.action_id === action.id && row.begun_at !== null;
  },
  async putBack(_ctx, tx, action) {
    await updateHeldShortage(tx, action.id, { state: "counted" });
  },
};
