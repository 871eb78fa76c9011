import { type Conn, empty, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { CART_LINES_MAX, CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { REFERRAL_MATCHES, type StreetAddress } from "@marketday/domain/referral";
import { z } from "zod";

import type { CustomerId, GuestId } from "../../lib/context.ts";
import { joinedPicture, PictureRow } from "../pictures/store.ts";
import { findReferralRefusal } from "../referrals/refusal.ts";

/** The owner of a cart, which every query of carts takes. */
export type CartOwner = { customerId: CustomerId } | { guestId: GuestId };

/** Whether cart `c` is the owner's. */
const isOwn = (owner: CartOwner) =>
  "customerId" in owner ? sql`c.customer_id = ${owner.customerId}::int` : sql`c.guest_id = ${owner.guestId}::uuid`;

/** A line with its current offer in the hub. `price_cents` is null where the hub has no offer for it. */
export const CartLineRow = z.object({
  id: z.number(),
  quantity: z.number(),
  watching: z.boolean(),
  bundle_id: z.number().nullable(),
  bundle_discount_ppm: z.number(),
  /** The items of one unit of its bundle, and whether the hub has them now. */
  bundle_parts: z.array(z.object({ variantId: z.number(), quantity: z.number(), isAvailable: z.boolean() })),
  bundle_title: z.string().nullable(),
  subscription_interval: z.number().nullable(),
  seen_price_cents: z.number(),
  variant_id: z.number(),
  variant_title: z.string(),
  pre_order_date: z.string().nullable(),
  product_id: z.number(),
  product_slug: z.string(),
  product_title: z.string(),
  vendor_id: z.number(),
  vendor_slug: z.string(),
  vendor_name: z.string(),
  vendor_city: z.string(),
  vendor_state: z.string(),
  offer_id: z.number().nullable(),
  price_cents: z.number().nullable(),
  sale_price_cents: z.number().nullable(),
  inventory: z.number(),
  is_published: z.boolean(),
});
export type CartLineRow = z.infer<typeof CartLineRow>;

export const DiscountCodeRow = z.object({
  id: z.number(),
  code: z.string(),
  reason: z.string(),
  percent_ppm: z.number().nullable(),
  amount_cents: z.number().nullable(),
  minimum_cents: z.number(),
  starts_at: z.date().nullable(),
  ends_at: z.date().nullable(),
  use_limit: z.number().nullable(),
  uses: z.number(),
  once_per_customer: z.boolean(),
  hub_id: z.number().nullable(),
  used_by_customer: z.boolean(),
});
export type DiscountCodeRow = z.infer<typeof DiscountCodeRow>;

export const CartRow = z.object({
  cart_id: z.number().nullable(),
  version: z.number(),
  lines: z.array(CartLineRow),
  code: DiscountCodeRow.nullable(),
  /** The referral discount of 20.00 is still open (docs/product.md §7 Referral). */
  has_referral: z.boolean(),
  /** Why the referral is refused; null when it is not, or when there is none. */
  referral_refused: z.enum(REFERRAL_MATCHES).nullable(),
});
export type CartRow = z.infer<typeof CartRow>;

/** What a customer's cart says about orders. */
const NoticesRow = z.object({
  /** Why auto-checkout did not order for that delivery, while it still applies; null: no problem. */
  auto_problem: z.string().nullable(),
  /** An order whose authorization has ended and was neither renewed nor charged; the earliest to close. */
  lost_hold: z.object({ order_id: z.number(), cutoff_at: z.string(), time_zone: z.string() }).nullable(),
});
export type NoticesRow = z.infer<typeof NoticesRow>;

/** The columns of a line `ci` as `CartLineRow`; `lineJoins` are the tables they name. */
const lineColumns = sql`ci.id, ci.quantity, ci.watching, ci.bundle_id,
          case when b.is_published then b.discount_ppm else 0 end as bundle_discount_ppm, b.title as bundle_title,
          ci.subscription_interval, ci.seen_price_cents, v.id as variant_id, v.title as variant_title,
          to_char(v.pre_order_date, 'YYYY-MM-DD') as pre_order_date, p.id as product_id, p.slug as product_slug, p.title as product_title,
          ve.id as vendor_id, ve.slug as vendor_slug, ve.name as vendor_name, ve.city as vendor_city,
          ve.state as vendor_state, o.id as offer_id, o.price_cents, o.sale_price_cents,
          coalesce(o.inventory, 0) as inventory, coalesce(o.is_published and p.is_published and ve.is_published, false) as is_published`;
const lineJoins = (hubId: number | null) => sql`
  join variant v on v.id = ci.variant_id
  join product p on p.id = v.product_id
  join vendor ve on ve.id = p.vendor_id
  left join bundle b on b.id = ci.bundle_id
  left join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int`;

type StoredLineRow = Omit<CartLineRow, "bundle_parts">;
const StoredLineRow = CartLineRow.omit({ bundle_parts: true });

/** Adds to lines the items of their bundles; without a statement when no line is of a bundle. */
async function withBundleParts<T extends StoredLineRow>(
  db: Conn,
  hubId: number | null,
  lines: readonly T[],
): Promise<(T & CartLineRow)[]> {
  const bundleIds = [...new Set(lines.flatMap((line) => line.bundle_id ?? []))];
  const rows =
    bundleIds.length === 0
      ? []
      : await query(
          db,
          sql`select bi.bundle_id, bi.variant_id, bi.quantity,
                coalesce(o.is_published and p.is_published and ve.is_published and o.inventory >= bi.quantity, false) as is_available
              from bundle_item bi join variant v on v.id = bi.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id
              left join offer o on o.variant_id = bi.variant_id and o.hub_id = ${hubId}::int where bi.bundle_id = any(${bundleIds}::int[])`,
          z.object({ bundle_id: z.number(), variant_id: z.number(), quantity: z.number(), is_available: z.boolean() }),
        );
  const parts = Map.groupBy(rows, (row) => row.bundle_id);
  return lines.map((line) => ({
    ...line,
    bundle_parts: (parts.get(line.bundle_id ?? 0) ?? []).map((part) => ({
      variantId: part.variant_id,
      quantity: part.quantity,
      isAvailable: part.is_available,
    })),
  }));
}

const LinePicturesRow = z.object({
  product_id: z.number(),
  picture: PictureRow.nullable(),
  vendor_avatar: PictureRow.nullable(),
});
export type LinePicturesRow = z.infer<typeof LinePicturesRow>;

/** The first picture of each product, and its vendor's. */
export const findLinePictures = (db: Conn, productIds: readonly number[]): Promise<LinePicturesRow[]> =>
  query(
    db,
    sql`select p.id as product_id, ${joinedPicture.pic} as picture, ${joinedPicture.avatar} as vendor_avatar
        from product p join vendor ve on ve.id = p.vendor_id
        left join product_picture pp on pp.product_id = p.id and pp.position = 0
        left join picture pic on pic.id = pp.picture_id
        left join picture avatar on avatar.id = ve.avatar_id
        where p.id = any(${productIds}::int[])`,
    LinePicturesRow,
  );

/** Lines that a subscription would add, as they would be in a cart. Ids are their positions, from 1. */
export async function findLinesToBe(
  db: Conn,
  hubId: number,
  lines: readonly { variantId: number; bundleId: number | null; quantity: number; weeks: number }[],
): Promise<CartLineRow[]> {
  const rows = await query(
    db,
    sql`select ${lineColumns}
        from (
          select (row_number() over ())::int as id, l.quantity, false as watching, l."bundleId" as bundle_id, l.weeks as subscription_interval,
            0 as seen_price_cents, l."variantId" as variant_id
          from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l ("variantId" int, "bundleId" int, quantity int, weeks int)) ci
        ${lineJoins(hubId)} order by ci.id`,
    StoredLineRow,
  );
  return withBundleParts(db, hubId, rows);
}

/** The columns of a cart that come with each of its lines. */
const HeadRow = CartRow.omit({ lines: true, code: true }).extend({ discount_code_id: z.number().nullable() });
const NoLine = z.object({ id: z.null() });
const CartOrLineRow = z.union([HeadRow.extend(StoredLineRow.shape), HeadRow.extend(NoLine.shape).loose()]);
const NoticedHeadRow = HeadRow.extend(NoticesRow.shape);
const NoticedRow = z.union([NoticedHeadRow.extend(StoredLineRow.shape), NoticedHeadRow.extend(NoLine.shape).loose()]);

/** A cart as one row for each line, or one row without a line; `more`: further columns. */
const selectCart = (owner: CartOwner, hubId: number | null, more: Sql) => {
  const referral =
    "customerId" in owner
      ? sql`left join referral r on r.friend_id = ${owner.customerId}::int and r.order_id is null
          and not exists (select 1 from orders od where od.customer_id = r.friend_id and od.status <> 'cancelled')`
      : null;
  return sql`select c.id as cart_id, coalesce(c.version, 0) as version, c.discount_code_id,
          ${
            referral
              ? sql`r.friend_id is not null and r.refused is null as has_referral, r.refused as referral_refused`
              : sql`false as has_referral, null::text as referral_refused`
          } ${more}, line.*
        from (select 1) as one left join cart c on ${isOwn(owner)} ${referral ?? empty}
        left join lateral (select ${lineColumns} from cart_item ci ${lineJoins(hubId)} where ci.cart_id = c.id) as line on true
        order by line.id`;
};

type HeadRow = z.infer<typeof HeadRow>;
type Selected<T> = T & (StoredLineRow | { id: null });

/** The cart of selected rows, with its code; refuses the referral if friend and referrer are one person. */
async function assemble<T extends HeadRow>(
  db: Conn,
  owner: CartOwner,
  hubId: number | null,
  rows: Selected<T>[],
  address?: StreetAddress,
): Promise<{ cart: CartRow; head: T }> {
  const [head] = rows;
  if (!head) throw new Error("a cart without a row");
  const customerId = "customerId" in owner ? owner.customerId : null;
  const { discount_code_id: codeId, cart_id, version, has_referral, referral_refused } = head;
  const code = codeId === null ? null : await findCode(db, sql`dc.id = ${codeId}::int`, customerId);
  const refused = has_referral && customerId !== null ? await findReferralRefusal(db, customerId, address) : null;
  const lines = rows.filter((row): row is T & StoredLineRow => row.id !== null);
  return {
    head,
    cart: {
      cart_id,
      version,
      lines: await withBundleParts(db, hubId, lines),
      code,
      has_referral: has_referral && refused === null,
      referral_refused: refused ?? referral_refused,
    },
  };
}

/**
 * The cart in one statement, its lines at current offers; one more each for a discount code, for bundles, and for an open
 * referral discount. `address`: the address of the checkout.
 */
export async function loadCart(
  db: Conn,
  owner: CartOwner,
  hubId: number | null,
  address?: StreetAddress,
): Promise<CartRow> {
  const { cart } = await assemble(
    db,
    owner,
    hubId,
    await query(db, selectCart(owner, hubId, empty), CartOrLineRow),
    address,
  );
  return cart;
}

/** The same with the notices of a customer. `deliveryId`: the hub's next delivery. */
export async function loadCartWithNotices(
  db: Conn,
  customerId: CustomerId,
  hubId: number | null,
  deliveryId: number | null,
): Promise<CartRow & NoticesRow> {
  const notices = sql`,
          (select ar.outcome from auto_checkout_result ar
            where ar.delivery_id = ${deliveryId}::int and ar.customer_id = ${customerId}::int
              and ar.outcome in ('nothing', 'no_address', 'no_card', 'declined', 'failed')
              and not exists (select 1 from orders od where od.customer_id = ${customerId}::int and od.delivery_id = ${deliveryId}::int
                and od.status <> 'cancelled')) as auto_problem,
          (select jsonb_build_object('order_id', ol.id, 'cutoff_at', dl.cutoff_at, 'time_zone', hl.time_zone)
            from payment pl join orders ol on ol.payment_id = pl.id and ol.status in ('open', 'future')
            join delivery dl on dl.id = ol.delivery_id join hub hl on hl.id = ol.hub_id
            where pl.customer_id = ${customerId}::int and pl.hold_lost_at is not null and pl.state = 'authorized'
            order by dl.cutoff_at, ol.id limit 1) as lost_hold`;
  const owner = { customerId };
  const { cart, head } = await assemble(
    db,
    owner,
    hubId,
    await query(db, selectCart(owner, hubId, notices), NoticedRow),
  );
  return { ...cart, auto_problem: head.auto_problem, lost_hold: head.lost_hold };
}

const LockedCartRow = z.object({ id: z.number(), version: z.number() });

/** Creates the owner's cart, or counts its version up and locks it. A new cart has version 0. */
const upsertCart = (owner: CartOwner, now: Date, condition: Sql = empty) => {
  const [column, id] =
    "customerId" in owner
      ? [sql`customer_id`, sql`${owner.customerId}::int`]
      : [sql`guest_id`, sql`${owner.guestId}::uuid`];
  return sql`insert into cart (${column}, updated_at) select ${id}, ${now}::timestamptz ${condition}
            on conflict (${column}) do update set version = cart.version + 1, updated_at = excluded.updated_at returning id, version`;
};

/**
 * Creates the owner's cart if there is none, and locks it until the transaction ends. The row lock orders the writes of two devices
 * and a checkout.
 */
export async function lockCart(tx: Conn, owner: CartOwner, now: Date): Promise<{ id: number; version: number }> {
  const [row] = await query(tx, upsertCart(owner, now), LockedCartRow);
  if (!row) throw new Error("a cart without a row");
  return row;
}

/** A requested line, after equal lines were summed. */
export interface WantedLine {
  productId: number;
  variantId: number;
  bundleId: number | null;
  quantity: number;
  watching: boolean;
  subscriptionInterval: number | null;
}

const WriteResult = z.object({
  /** Variants that this hub does not sell, in the order of the request. */
  refused: z.array(z.number()),
  /** Lines that got fewer units than requested, with the remaining stock. */
  capped: z.array(z.object({ variant_id: z.number(), wanted: z.number(), left: z.number() })),
  /** New lines do not fit (`CART_LINES_MAX`); nothing is written. */
  is_full: z.boolean(),
  /** The cart was changed by someone else after the statement began, so its lines were not known; nothing is written. */
  is_superseded: z.boolean(),
});

/**
 * Sets the quantities in one statement, and creates the cart if there is none. Writes nothing when one line is not sold in the hub,
 * or when new lines would exceed `CART_LINES_MAX`. New lines keep the order of the request. Caps at the stock and at the maximum of a line, removes at 0, and keeps a sold-out
 * line as watched. Other lines stay as they are; any line of the cart may be removed.
 */
export async function writeLines(
  conn: Conn,
  owner: CartOwner,
  hubId: number,
  lines: readonly WantedLine[],
  now: Date,
): Promise<z.infer<typeof WriteResult>> {
  const [row] = await query(
    conn,
    sql`with wanted as (
          select * from rows from (jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
            as ("productId" int, "variantId" int, "bundleId" int, quantity int, watching boolean, "subscriptionInterval" int))
            with ordinality as w ("productId", "variantId", "bundleId", quantity, watching, "subscriptionInterval", place)),
        known as (
          select w.*, o.id as offer_id, o.inventory, coalesce(o.sale_price_cents, o.price_cents) as price_cents,
            (w.quantity = 0 or (o.id is not null and o.is_published and p.is_published and ve.is_published and p.id = w."productId"
              and (w."bundleId" is null or exists (
                select 1 from bundle_item bi join bundle b on b.id = bi.bundle_id join bundle_hub bh on bh.bundle_id = b.id
                where b.id = w."bundleId" and bi.variant_id = w."variantId" and bh.hub_id = ${hubId}::int and b.is_published)))) as sold
          from wanted w
          left join variant v on v.id = w."variantId"
          left join product p on p.id = v.product_id
          left join vendor ve on ve.id = p.vendor_id
          left join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int),
        refused as (select "variantId", place from known where not sold),
        before as (select c.id, c.version from cart c where ${isOwn(owner)}),
        lines as (
          select count(*) filter (where k."variantId" is null or k.quantity > 0) as kept,
            (select count(*) from known n where n.quantity > 0 and not exists (
              select 1 from cart_item x join before on before.id = x.cart_id
              where x.variant_id = n."variantId" and x.bundle_id is not distinct from n."bundleId")) as added
          from before join cart_item ci on ci.cart_id = before.id
          left join known k on k."variantId" = ci.variant_id and k."bundleId" is not distinct from ci.bundle_id),
        fits as (select added = 0 or kept + added <= ${CART_LINES_MAX}::int as fits from lines),
        locked as (${upsertCart(owner, now, sql`where not exists (select 1 from refused) and (select fits from fits)`)}),
        current as (select id from locked where version = coalesce((select version + 1 from before), 0)),
        removed as (
          delete from cart_item ci using known k, current
          where ci.cart_id = current.id and ci.variant_id = k."variantId" and ci.bundle_id is not distinct from k."bundleId" and k.quantity = 0),
        upserted as (
          insert into cart_item (cart_id, variant_id, bundle_id, quantity, watching, subscription_interval, seen_price_cents, created_at)
          select current.id, k."variantId", k."bundleId",
            least(k.quantity, ${CART_QUANTITY_MAX}::int, case when k.inventory > 0 then k.inventory end),
            k.inventory = 0, k."subscriptionInterval", k.price_cents, ${now}::timestamptz
          from current, known k where k.quantity > 0 order by k.place
          on conflict (cart_id, variant_id, bundle_id) do update
            set quantity = excluded.quantity, watching = excluded.watching, seen_price_cents = excluded.seen_price_cents,
                subscription_interval = coalesce(excluded.subscription_interval, cart_item.subscription_interval))
        select coalesce((select array_agg("variantId" order by place) from refused), '{}') as refused,
          coalesce((select jsonb_agg(jsonb_build_object('variant_id', "variantId", 'wanted', quantity, 'left', inventory))
            from known where sold and quantity > inventory), '[]') as capped,
          (select not fits from fits) as is_full,
          exists (select 1 from locked) and not exists (select 1 from current) as is_superseded`,
    WriteResult,
  );
  if (!row) throw new Error("the cart returned no row");
  return row;
}

/** Sets or removes the cart's discount code; false when there is no such code. */
export async function setDiscountCode(tx: Conn, cartId: number, code: string | null): Promise<boolean> {
  if (code === null) {
    await execute(tx, sql`update cart set discount_code_id = null where id = ${cartId}::int`);
    return true;
  }
  const rows = await query(
    tx,
    sql`update cart set discount_code_id = dc.id from discount_code dc where cart.id = ${cartId}::int and dc.code = upper(${code}) returning dc.id`,
    z.object({ id: z.number() }),
  );
  return rows.length > 0;
}

/** The discount code `dc` of a condition, in the form of the pricing rules. */
const findCode = (db: Conn, condition: Sql, customerId: CustomerId | null): Promise<DiscountCodeRow | null> =>
  queryOne(
    db,
    sql`select dc.id, dc.code, dc.reason, dc.percent_ppm, dc.amount_cents, dc.minimum_cents, dc.starts_at, dc.ends_at, dc.use_limit, dc.uses,
          dc.once_per_customer, dc.hub_id,
          exists (select 1 from discount_use du where du.discount_code_id = dc.id and du.customer_id = ${customerId}::int) as used_by_customer
        from discount_code dc where ${condition}`,
    DiscountCodeRow,
  );

/** A discount code by name. */
export const findDiscountCode = (db: Conn, code: string, customerId: CustomerId | null) =>
  findCode(db, sql`dc.code = upper(${code})`, customerId);

/**
 * Moves a guest's lines into the customer's cart: the larger quantity wins (docs/product.md §3). New lines are added, oldest first,
 * while there is room (`CART_LINES_MAX`).
 */
export async function mergeGuestCart(tx: Conn, guestId: GuestId, customerCartId: number): Promise<void> {
  await execute(
    tx,
    sql`with guest_cart as (select id, discount_code_id from cart where guest_id = ${guestId}::uuid),
        taken as (
          insert into cart_item (cart_id, variant_id, bundle_id, quantity, watching, subscription_interval, seen_price_cents, created_at)
          select ${customerCartId}::int, ci.variant_id, ci.bundle_id, ci.quantity, ci.watching, ci.subscription_interval, ci.seen_price_cents, ci.created_at
          from (
            select ci.*, own.id is null as is_new, row_number() over (partition by own.id is null order by ci.created_at, ci.id) as place
            from cart_item ci join guest_cart g on g.id = ci.cart_id
            left join cart_item own on own.cart_id = ${customerCartId}::int and own.variant_id = ci.variant_id and own.bundle_id is not distinct from ci.bundle_id) ci
          where not ci.is_new or ci.place <= ${CART_LINES_MAX}::int - (select count(*) from cart_item where cart_id = ${customerCartId}::int)
          on conflict (cart_id, variant_id, bundle_id) do update set quantity = greatest(cart_item.quantity, excluded.quantity)
          returning 1)
        update cart set discount_code_id = coalesce(cart.discount_code_id, (select discount_code_id from guest_cart))
        where id = ${customerCartId}::int`,
  );
  await execute(tx, sql`delete from cart where guest_id = ${guestId}::uuid`);
}

/** The cart of a guest who registers becomes the customer's. */
export async function giveGuestCart(tx: Conn, guestId: GuestId, customerId: CustomerId): Promise<void> {
  await execute(
    tx,
    sql`update cart set customer_id = ${customerId}::int, guest_id = null, version = version + 1 where guest_id = ${guestId}::uuid`,
  );
}
