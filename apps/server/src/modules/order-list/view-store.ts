import type { Client, Prisma, Tx } from "@marketday/db";

import type { StaffId } from "../identity/context.ts";

const shown = {
  id: true,
  screen: true,
  staff_id: true,
  name: true,
  query: true,
  sort: true,
  columns: true,
  version: true,
} satisfies Prisma.saved_viewSelect;
export type ViewRow = Prisma.saved_viewGetPayload<{ select: typeof shown }>;

/** What is stored of a view. `staffId` null: it is the market's. */
export interface ViewContent {
  name: string;
  query: string;
  sort: string;
  columns: string[];
  staffId: StaffId | null;
}

const seenBy = (staffId: StaffId): Prisma.saved_viewWhereInput => ({
  OR: [{ staff_id: null }, { staff_id: staffId }],
});

/** The views of a screen that a person sees: the market's, then their own, by name. */
export const findViews = (db: Client, screen: string, staffId: StaffId): Promise<ViewRow[]> =>
  db.saved_view.findMany({
    where: { screen, ...seenBy(staffId) },
    select: shown,
    orderBy: [{ staff_id: { sort: "asc", nulls: "first" } }, { name: "asc" }, { id: "asc" }],
  });

export const findView = (db: Client, screen: string, id: number, staffId: StaffId): Promise<ViewRow | null> =>
  db.saved_view.findFirst({ where: { id, screen, ...seenBy(staffId) }, select: shown });

/** Whether a person sees another view of this name, in any letter case. */
export const isNameTaken = async (
  tx: Tx,
  { screen, name, staffId, exceptId }: { screen: string; name: string; staffId: StaffId; exceptId: number | null },
): Promise<boolean> =>
  (await tx.saved_view.count({
    where: {
      screen,
      name: { equals: name, mode: "insensitive" },
      ...seenBy(staffId),
      ...(exceptId !== null && { id: { not: exceptId } }),
    },
  })) > 0;

const dataOf = ({ staffId, ...content }: ViewContent) => ({ ...content, staff_id: staffId });

export const insertView = (tx: Tx, screen: string, content: ViewContent, now: Date): Promise<ViewRow> =>
  tx.saved_view.create({ data: { screen, ...dataOf(content), created_at: now, updated_at: now }, select: shown });

/** Changes a view of this version. False: it has another one by now, or is gone. */
export const updateView = async (
  tx: Tx,
  { id, version }: { id: number; version: number },
  content: ViewContent,
  now: Date,
): Promise<boolean> =>
  (
    await tx.saved_view.updateMany({
      where: { id, version },
      data: { ...dataOf(content), updated_at: now, version: { increment: 1 } },
    })
  ).count > 0;

/** False: it is gone. */
export const removeView = async (tx: Tx, id: number): Promise<boolean> =>
  (await tx.saved_view.deleteMany({ where: { id } })).count > 0;
