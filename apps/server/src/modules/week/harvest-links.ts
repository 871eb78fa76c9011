import type { Client, Prisma, Tx } from "@marketday/db";

import { newUuid } from "../../lib/tokens.ts";

/** A vendor's share of a delivery day. */
interface Share {
  deliveryId: number;
  vendorId: number;
}

/** The live link of a vendor and delivery day: a new one, or the one there is. The vendor's email must be locked. Returns its id. */
export async function issueHarvestLink(tx: Tx, { deliveryId, vendorId }: Share, now: Date): Promise<string> {
  const share = { delivery_id: deliveryId, vendor_id: vendorId };
  const [issued] = await tx.harvest_link.createManyAndReturn({
    data: [{ id: newUuid(), ...share, created_at: now }],
    skipDuplicates: true,
    select: { id: true },
  });
  if (issued) return issued.id;
  const live = await tx.harvest_link.findFirstOrThrow({ where: { ...share, revoked_at: null }, select: { id: true } });
  return live.id;
}

const shown = {
  id: true,
  revoked_at: true,
  vendor: { select: { id: true, slug: true, name: true } },
  delivery: {
    select: { id: true, day: true, hub: { select: { id: true, slug: true, name: true, time_zone: true } } },
  },
} satisfies Prisma.harvest_linkSelect;
export type HarvestLinkRow = Prisma.harvest_linkGetPayload<{ select: typeof shown }>;

export const findHarvestLink = (db: Client, id: string): Promise<HarvestLinkRow | null> =>
  db.harvest_link.findUnique({ where: { id }, select: shown });
