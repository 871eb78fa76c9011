import type { Client, Prisma } from "@marketday/db";

import { shownPicture } from "../pictures/picture-row.ts";

/** One of these ids. A list of one is not written as a list: the statement is then prepared. */
const among = (ids: number[]) => (ids.length === 1 ? ids[0]! : { in: ids });

/** A line as it was bought, with what its hub, one of these, sells of it now. */
const shownItem = (hubIds: number[]) =>
  ({
    id: true,
    order_id: true,
    quantity: true,
    bundle_id: true,
    product_title: true,
    variant_title: true,
    list_price_cents: true,
    sale_price_cents: true,
    variant: {
      select: {
        id: true,
        unit: true,
        measure: true,
        measure_amount: true,
        pre_order_date: true,
        product: {
          select: {
            id: true,
            slug: true,
            is_published: true,
            pictures: { where: { position: 0 }, select: { picture: { select: shownPicture } } },
          },
        },
        offers: {
          where: { hub_id: among(hubIds) },
          select: { hub_id: true, inventory: true, is_published: true },
        },
      },
    },
    vendor: { select: { id: true, slug: true, name: true, city: true, state: true, avatar: { select: shownPicture } } },
  }) satisfies Prisma.order_itemSelect;

const itemsOf = (hubIds: number[]) =>
  ({
    where: { quantity: { gt: 0 } },
    select: shownItem(hubIds),
    orderBy: { id: "asc" },
  }) satisfies Prisma.order$itemsArgs;

/** A box: its first order with its live add-ons, oldest first. */
const shownBox = (hubIds: number[]) =>
  ({
    id: true,
    created_at: true,
    status: true,
    type: true,
    address: true,
    tip_cents: true,
    tax_cents: true,
    card_fee_cents: true,
    delivery_fee_cents: true,
    discount_cents: true,
    waived_cents: true,
    order_total_cents: true,
    credit_cents: true,
    pickup_point: { select: { name: true, address: true, city: true, state: true, zip_code: true, hours: true } },
    delivery: { select: { day: true, cutoff_at: true } },
    hub: { select: { id: true, name: true, time_zone: true } },
    items: itemsOf(hubIds),
    add_ons: {
      where: { status: { not: "cancelled" } },
      select: {
        id: true,
        created_at: true,
        delivery_fee_cents: true,
        waived_cents: true,
        order_total_cents: true,
        credit_cents: true,
        items: itemsOf(hubIds),
      },
      orderBy: [{ created_at: "asc" }, { id: "asc" }],
    },
  }) satisfies Prisma.orderSelect;

export type ItemRow = Prisma.order_itemGetPayload<{ select: ReturnType<typeof shownItem> }>;
export type BoxRow = Prisma.orderGetPayload<{ select: ReturnType<typeof shownBox> }>;

/** These boxes of these hubs. */
export const findBoxContents = (db: Client, boxIds: number[], hubIds: number[]): Promise<BoxRow[]> =>
  db.order.findMany({ where: { id: among(boxIds) }, select: shownBox(hubIds) });
