import type { Client, Prisma } from "@marketday/db";

export const shownVendor = { id: true, slug: true, name: true, email: true } satisfies Prisma.vendorSelect;

/** The vendor with this slug; null: there is none. */
export const findVendorBySlug = (db: Client, slug: string) =>
  db.vendor.findUnique({ where: { slug }, select: shownVendor });

/** The vendor with this id; null: there is none. */
export const findVendorById = (db: Client, id: number) => db.vendor.findUnique({ where: { id }, select: shownVendor });
