import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { findDaysAround, findHubByKey, findSheetDay, type HubKeyRow } from "./day-store.ts";

/** A hub by slug or id. @throws AppError 404 for an unknown hub */
export async function getHubByKey({ deps }: Context, key: string): Promise<HubKeyRow> {
  const hub = await findHubByKey(deps.db, key);
  if (!hub) throw new AppError(404, `There is no hub "${key}". Give its slug or its id.`, { code: "not_found" });
  return hub;
}

/** A hub's delivery day. @throws AppError 404 for an unknown hub, and for a date without a delivery, with the nearest days */
export async function deliveryOf(ctx: Context, key: string, day: string) {
  const { db } = ctx.deps;
  const hub = await getHubByKey(ctx, key);
  const delivery = await findSheetDay(db, hub.id, day, ctx.now);
  if (delivery) return { hub, delivery };
  const near = (await findDaysAround(db, hub.id, day)).map((each) => each.day);
  const hint = near.length > 0 ? ` Days near it: ${near.join(", ")}.` : "";
  throw new AppError(404, `${hub.name} does not deliver on ${day}.${hint}`, { code: "not_found", near });
}
