import type { Bundle } from "@marketday/contracts/bundles";

import { notFound } from "../../lib/app-error.ts";
import { hasBundles, personalizeBundles, withProducts } from "../bundles/load-bundles.ts";
import {
  type BundleRow,
  deleteSubscription,
  findAnyBundle,
  findBundle,
  upsertSubscription,
  type WhichBundle,
} from "../bundles/store.ts";
import type { Context } from "../identity/context.ts";
import { hubOf, requireCustomer, requireHub } from "../identity/guards.ts";
import { refill, withCartLock } from "./change.ts";

const asOfNow = async ({ deps, actor }: Context, row: BundleRow): Promise<Bundle> => {
  const bundles = await withProducts(deps, hubOf(actor), [row]);
  return (await personalizeBundles(deps, requireCustomer(actor), bundles))[0]!;
};

/** Subscribes a customer to a bundle of their hub, or changes the interval: every 1 to 4 weeks (spec §7.8). Its lines are added to the cart when due. Unknown: 404. */
export async function subscribeBundle(ctx: Context, which: WhichBundle, intervalWeeks: number): Promise<Bundle> {
  const customerId = requireCustomer(ctx.actor);
  const hubId = requireHub(ctx.actor);
  const { db } = ctx.deps;
  if (!hasBundles(ctx.deps, hubId)) throw notFound();
  const id = await withCartLock(ctx, customerId, async (tx) => {
    const bundleId = await upsertSubscription(tx, customerId, hubId, which, intervalWeeks, ctx.now);
    if (bundleId !== null) await refill(ctx, tx, customerId, hubId, { bundleId });
    return bundleId;
  });
  const row = id === null ? null : await findBundle(db, hubId, { id });
  if (!row) throw notFound();
  return asOfNow(ctx, row);
}

/** Ends a subscription, also when the customer is in another hub now; a second time changes nothing (spec §7.8). Unknown: 404. */
export async function unsubscribeBundle(ctx: Context, which: WhichBundle): Promise<Bundle> {
  const customerId = requireCustomer(ctx.actor);
  const row = await findAnyBundle(ctx.deps.db, which);
  if (!row) throw notFound();
  const hubId = hubOf(ctx.actor);
  await withCartLock(ctx, customerId, async (tx) => {
    await deleteSubscription(tx, customerId, row.id);
    if (hubId !== null) await refill(ctx, tx, customerId, hubId, { bundleId: row.id });
  });
  return asOfNow(ctx, row);
}
