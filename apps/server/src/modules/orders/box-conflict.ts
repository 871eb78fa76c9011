import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { readOrderBox } from "./read-order-box.ts";

/** 409 with the box as it is now, after the transaction that found it changed. */
export const boxConflict = async (ctx: Context, orderId: number): Promise<AppError> =>
  new AppError(409, "This order was changed in the meantime. Nothing was done. Look at it again.", {
    code: "conflict",
    current: await readOrderBox(ctx.deps.db, requireStaff(ctx.actor), orderId),
  });
