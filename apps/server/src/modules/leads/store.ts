import type { Client, Prisma, Tx } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";

import { lockAddress } from "./lead-sql.ts";

/** A submission of a public form; `data` holds the remaining fields. */
export interface Lead {
  kind: "vendor" | "driver" | "job" | "email" | "zip" | "contact";
  email: string;
  name: string;
  zipCode: string;
  data: Prisma.InputJsonObject;
}

/** Within this time, the same submission from the same address is one lead. */
const SAME_MS = 1 * Hour.ms;

/**
 * Inserts a lead and returns its id; null if the same lead was inserted within the hour (double click, retry). Locks the address
 * until the transaction ends.
 */
export async function insertLead(tx: Tx, { zipCode, ...rest }: Lead, now: Date): Promise<number | null> {
  const lead = { ...rest, zip_code: zipCode };
  await lockAddress(tx, lead.email);
  const isSame = { ...lead, data: { equals: lead.data }, created_at: { gt: addMs(now, -SAME_MS) } };
  if ((await tx.lead.findFirst({ where: isSame, select: { id: true } })) !== null) return null;
  return (await tx.lead.create({ data: { ...lead, created_at: now }, select: { id: true } })).id;
}

const mailedLead = {
  kind: true,
  email: true,
  name: true,
  zip_code: true,
  data: true,
} satisfies Prisma.leadSelect;
/** The data is always an object. */
export type LeadRow = Prisma.leadGetPayload<{ select: typeof mailedLead }> & { data: Record<string, unknown> };

/** A lead, for the mail about it; null if it was deleted. */
export const findLead = async (db: Client, id: number): Promise<LeadRow | null> =>
  (await db.lead.findUnique({ where: { id }, select: mailedLead })) as LeadRow | null;

const listedLead = { id: true, ...mailedLead, created_at: true } satisfies Prisma.leadSelect;
export type LeadListRow = Prisma.leadGetPayload<{ select: typeof listedLead }> & { data: Record<string, unknown> };

/** Leads of these kinds, newest first. */
export const findLeads = async (db: Client, kinds: readonly string[], most: number): Promise<LeadListRow[]> =>
  (await db.lead.findMany({
    where: { kind: { in: [...kinds] } },
    select: listedLead,
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    take: most,
  })) as LeadListRow[];
