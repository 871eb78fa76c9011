import { AppError } from "../../lib/app-error.ts";
import { nearestFinder } from "../../lib/nearest.ts";
import type { Context } from "../identity/context.ts";
import { findDaysAround, findSheetDay } from "./day-sql.ts";
import { findHubByKey, findHubKeys, type HubKeyRow } from "./directory-store.ts";

/** The number of hubs up to which all are listed. */
const LISTED = 10;

/** A hub by slug or id. @throws AppError 404 for an unknown hub, with the one that was probably meant, or all of few */
export async function getHubByKey({ deps }: Context, key: string): Promise<HubKeyRow> {
  const hub = await findHubByKey(deps.db, key);
  if (hub) return hub;
  const hubs = await findHubKeys(deps.db);
  const meant = nearestFinder(hubs.map(({ slug, name }) => ({ key: slug, name })))(key);
  const list = hubs.length > LISTED ? "" : ` The hubs are ${hubs.map(({ slug }) => slug).join(", ")}.`;
  const help = meant === null ? `Give its slug or its id.${hubs.length === 0 ? "" : list}` : `Did you mean ${meant}?`;
  throw new AppError(404, `There is no hub "${key}". ${help}`, { code: "not_found" });
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
