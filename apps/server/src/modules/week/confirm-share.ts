import type { Tx } from "@marketday/db";

import { actorName, writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { putArrival, type UnitsByVariant } from "./arrivals-store.ts";
import { VendorChanged } from "./set-arrivals.ts";

interface Vendor {
  id: number;
  slug: string;
  name: string;
}

/**
 * Records that the vendor of the link has confirmed the `units` that are ordered from them, at this version of what is known of their
 * share; 0: nothing was.
 * @throws AppError 409 `conflict` when it has changed since
 */
export async function confirmShare(
  tx: Tx,
  ctx: Context,
  {
    deliveryId,
    vendor,
    units,
    version,
  }: { deliveryId: number; vendor: Vendor; units: UnitsByVariant; version: number },
): Promise<void> {
  const confirmed = { at: ctx.now, by: actorName(ctx.actor), units };
  if (!(await putArrival(tx, { deliveryId, vendorId: vendor.id }, { confirmed }, version)))
    throw new VendorChanged(vendor);
  await writeAuditEntry(tx, ctx, {
    action: "vendors confirmed",
    subject: `delivery:${deliveryId}`,
    reason: "",
    data: { vendors: [vendor.slug], isConfirmed: true },
  });
}
