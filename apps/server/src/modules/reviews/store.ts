import type { Client, Prisma } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** A product by id or slug. */
export type WhichProduct = { id: number } | { slug: string };

/** The reviews that this shopper may read: those that are not hidden, and the shopper's own (docs/product.md §18). */
const visibleTo = (customerId: CustomerId | null): Prisma.reviewWhereInput => ({
  OR: [{ hidden_at: null }, ...(customerId === null ? [] : [{ customer_id: customerId }])],
});

/** A published product and the number of its reviews that this shopper may read; null for an unknown product. */
export async function findProductForReviews(
  db: Client,
  which: WhichProduct,
  customerId: CustomerId | null,
): Promise<{ id: number; vendor_id: number; total: number } | null> {
  const product = await db.product.findFirst({
    where: { ...which, is_published: true, vendor: { is_published: true } },
    select: { id: true, vendor_id: true, _count: { select: { reviews: { where: visibleTo(customerId) } } } },
  });
  return product && { id: product.id, vendor_id: product.vendor_id, total: product._count.reviews };
}

const shownReview = (productId: number) =>
  ({
    id: true,
    created_at: true,
    rating_halves: true,
    comment: true,
    customer: {
      select: {
        first_name: true,
        last_name: true,
        // The account was deleted; the review remains.
        deleted_at: true,
        // One order with this product that is not cancelled: the rater bought it.
        orders: {
          where: {
            status: { not: "cancelled" },
            items: { some: { quantity: { gt: 0 }, variant: { product_id: productId } } },
          },
          select: { id: true },
          take: 1,
        },
      },
    },
  }) satisfies Prisma.reviewSelect;
export type ReviewRow = Prisma.reviewGetPayload<{ select: ReturnType<typeof shownReview> }>;

/** A page of the reviews of a product that this shopper may read, newest first. */
export const findReviews = (
  db: Client,
  productId: number,
  customerId: CustomerId | null,
  { offset, rows }: { offset: number; rows: number },
): Promise<ReviewRow[]> =>
  db.review.findMany({
    where: { product_id: productId, ...visibleTo(customerId) },
    select: shownReview(productId),
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    skip: offset,
    take: rows,
  });

/** Inserts or replaces the customer's review of a product and returns its id. */
export async function upsertReview(
  db: Client,
  customerId: CustomerId,
  productId: number,
  { ratingHalves, comment }: { ratingHalves: number; comment: string },
  now: Date,
): Promise<number> {
  const key = { customer_id: customerId, product_id: productId };
  const review = { rating_halves: ratingHalves, comment, created_at: now };
  const { id } = await db.review.upsert({
    where: { customer_id_product_id: key },
    create: { ...key, ...review },
    update: review,
    select: { id: true },
  });
  return id;
}
