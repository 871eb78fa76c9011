import type { Client, Prisma, Tx } from "@marketday/db";

import { newUuid } from "../../lib/tokens.ts";

/** A vendor's share of a delivery day. */
export interface Share {
  deliveryId: number;
  vendorId: number;
}

const columnsOf = ({ deliveryId, vendorId }: Share) => ({ delivery_id: deliveryId, vendor_id: vendorId });

/** Whether a link for an address is one of a vendor with another address now. Null: there is none. */
const isOfOther = (email: string | null, now: string | null): boolean =>
  email !== null && email.toLowerCase() !== now?.toLowerCase();

/** The id of the live link of a vendor (with this address now) and delivery day; null: there is none. */
export async function findLiveLink(tx: Tx, share: Share, email: string | null): Promise<string | null> {
  const links = await tx.harvest_link.findMany({
    where: { ...columnsOf(share), revoked_at: null },
    select: { id: true, email: true },
    orderBy: { created_at: "asc" },
  });
  return links.find((link) => !isOfOther(link.email, email))?.id ?? null;
}

/** The link that `findLiveLink` finds, or a new one. Returns its id. */
export async function issueHarvestLink(tx: Tx, share: Share, email: string | null, now: Date): Promise<string> {
  const live = await findLiveLink(tx, share, email);
  if (live !== null) return live;
  const data = { id: newUuid(), ...columnsOf(share), email, created_at: now };
  return (await tx.harvest_link.create({ data, select: { id: true } })).id;
}

/** Revokes the links of a vendor and delivery day. Returns how many. */
export async function revokeHarvestLinks(tx: Tx, share: Share, now: Date): Promise<number> {
  const { count } = await tx.harvest_link.updateMany({
    where: { ...columnsOf(share), revoked_at: null },
    data: { revoked_at: now },
  });
  return count;
}

const shown = {
  id: true,
  email: true,
  revoked_at: true,
  vendor: { select: { id: true, slug: true, name: true, email: true } },
  delivery: {
    select: { id: true, day: true, hub: { select: { id: true, slug: true, name: true, time_zone: true } } },
  },
} satisfies Prisma.harvest_linkSelect;
export type HarvestLinkRow = Prisma.harvest_linkGetPayload<{ select: typeof shown }>;

export const findHarvestLink = (db: Client, id: string): Promise<HarvestLinkRow | null> =>
  db.harvest_link.findUnique({ where: { id }, select: shown });

/** Whether a link was revoked, or was mailed to an address that is no longer the vendor's (docs/decisions/0009). */
export const isRevoked = ({ revoked_at, email, vendor }: HarvestLinkRow): boolean =>
  revoked_at !== null || isOfOther(email, vendor.email);
