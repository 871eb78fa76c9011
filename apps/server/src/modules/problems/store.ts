import type { Client, Prisma, Tx } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";

import type { Proof } from "../../gateways/bot-check/bot-check.ts";
import type { CustomerId } from "../identity/context.ts";
import type { TitledLine } from "../products/size-sql.ts";

/** Stores a proof as used; false if it was used before. */
export async function spendProof(tx: Tx, { once, expiresAt }: Proof): Promise<boolean> {
  const data = [{ nonce: once, expires_at: expiresAt }];
  return (await tx.bot_proof.createMany({ data, skipDuplicates: true })).count === 1;
}

/** Whether the order belongs to the customer: one primary key lookup before the body is read. */
export const ownsOrder = async (db: Client, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await db.order.findUnique({ where: { id: orderId, customer_id: customerId }, select: { id: true } })) !== null;

export interface BoxItem extends TitledLine {
  variant_id: number;
  quantity: number;
  /** As ordered, before edits and shortages. */
  ordered: number;
}

/**
 * What was ordered in a box, by variant. Of canceled orders the box's own counts if it stays listed, as one that the market canceled.
 */
export async function findBoxItems(db: Client, boxId: number): Promise<BoxItem[]> {
  const isHidden = { status: "cancelled", edited_at: { not: null } };
  const lines = await db.order_item.findMany({
    where: {
      order: {
        OR: [
          { id: boxId, NOT: isHidden },
          { add_on_to_id: boxId, status: { not: "cancelled" } },
        ],
      },
    },
    select: {
      variant_id: true,
      product_title: true,
      variant_title: true,
      quantity: true,
      quantity_ordered: true,
      variant: { select: { unit: true, measure: true, measure_amount: true } },
    },
    orderBy: [{ product_title: "asc" }, { variant_title: "asc" }],
  });
  const items = new Map<number, BoxItem>();
  for (const { variant, quantity, quantity_ordered: ordered, ...line } of lines) {
    const item = items.get(line.variant_id) ?? { ...line, ...variant, quantity: 0, ordered: 0 };
    items.set(line.variant_id, { ...item, quantity: item.quantity + quantity, ordered: item.ordered + ordered });
  }
  return [...items.values()];
}

interface NewReport {
  customerId: CustomerId;
  orderId: number;
  message: string;
  /** File names of the photos. */
  files: readonly string[];
  now: Date;
}

/** Within this time, the same message about the same order is one report. */
const SAME_MS = Hour.ms;

/** Inserts a report of a locked order and returns its id; null if it is a duplicate. */
export async function insertReport(
  tx: Tx,
  { customerId, orderId, message, files, now }: NewReport,
): Promise<number | null> {
  const same = await tx.problem_report.findMany({
    where: { order_id: orderId, message, created_at: { gt: addMs(now, -SAME_MS) } },
    select: { _count: { select: { photos: true } } },
  });
  if (same.some(({ _count: { photos } }) => photos === files.length)) return null;
  const { id } = await tx.problem_report.create({
    data: { order_id: orderId, customer_id: customerId, message, created_at: now },
    select: { id: true },
  });
  if (files.length > 0)
    await tx.problem_photo.createMany({
      data: files.map((file) => ({ id: file.replace(/\.jpg$/, ""), report_id: id, file })),
    });
  return id;
}

/** Those of these photo files that a report has. A list of more than 32,000 files is more than one statement. */
export async function findKeptPhotos(db: Client, files: readonly string[]): Promise<string[]> {
  const photos = await db.problem_photo.findMany({ where: { file: { in: [...files] } }, select: { file: true } });
  return photos.map(({ file }) => file);
}

export interface ProblemRow {
  id: number;
  order_id: number;
  hub: string;
  customer: string | null;
  message: string;
  status: string;
  photos: string[];
  created_at: Date;
  /** Of the order's hub. */
  time_zone: string;
}

/** Problem reports, open ones first, oldest first; with closed ones if `closedToo`. */
export async function findProblems(db: Client, closedToo: boolean): Promise<ProblemRow[]> {
  const reports = await db.problem_report.findMany({
    where: closedToo ? {} : { status: "open" },
    select: {
      id: true,
      order_id: true,
      message: true,
      status: true,
      created_at: true,
      customer: { select: { email: true } },
      order: { select: { hub: { select: { slug: true, time_zone: true } } } },
      photos: { select: { file: true }, orderBy: { id: "asc" } },
    },
    orderBy: [{ status: "desc" }, { created_at: "asc" }, { id: "asc" }],
  });
  return reports.map(({ id, order_id, customer, message, status, photos, created_at, order: { hub } }) => ({
    id,
    order_id,
    hub: hub.slug,
    customer: customer.email,
    message,
    status,
    photos: photos.map(({ file }) => file),
    created_at,
    time_zone: hub.time_zone,
  }));
}

/** Closes a report and returns its order; null if it is closed already or unknown. */
export async function markClosed(tx: Tx, id: number, now: Date): Promise<{ order_id: number } | null> {
  const [report] = await tx.problem_report.updateManyAndReturn({
    where: { id, status: "open" },
    data: { status: "closed", closed_at: now },
    select: { order_id: true },
  });
  return report ?? null;
}

export const problemExists = async (db: Client, id: number): Promise<boolean> =>
  (await db.problem_report.findUnique({ where: { id }, select: { id: true } })) !== null;

const mailedReport = {
  id: true,
  message: true,
  customer: { select: { first_name: true, last_name: true, email: true } },
  order: { select: { id: true, add_on_to_id: true, hub: { select: { name: true } } } },
  _count: { select: { photos: true } },
} satisfies Prisma.problem_reportSelect;
export type ReportForMail = Prisma.problem_reportGetPayload<{ select: typeof mailedReport }>;

/** A report, for the mail about it; null when it was deleted. */
export const findReportForMail = (db: Client, id: number): Promise<ReportForMail | null> =>
  db.problem_report.findUnique({ where: { id }, select: mailedReport });
