import { type Conn, empty, execute, query, queryOne, type Sql, sql, type AnyTx } from "@marketday/db";
import { CART_LINES_MAX } from "@marketday/domain/limits";
import { REFERRAL_MATCHES, type StreetAddress } from "@marketday/domain/referral";
import { z } from "zod";

import type { CustomerId, GuestId } from "../identity/context.ts";
import { joinedPicture } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { sizeColumns, SizeColumns } from "../products/size-sql.ts";
import { guestProfile, ProfileRow } from "../profile/profile-sql.ts";
import { findReferralRefusal } from "../referrals/refusal.ts";

/** The owner of a cart, which every query of carts takes. */
export type CartOwner = { customerId: CustomerId } | { guestId: GuestId };

/** Whether cart `c` is the owner's. */
const isOwn = (owner: CartOwner) =>
  "customerId" in owner ? sql`c.customer_id = ${owner.customerId}::int` : sql`c.guest_id = ${owner.guestId}::uuid`;

/** A line as stored. */
const ItemRow = z.object({
  id: z.number(),
  quantity: z.number(),
  watching: z.boolean(),
  bundle_id: z.number().nullable(),
  subscription_interval: z.number().nullable(),
  seen_price_cents: z.number(),
  /** The market that its shopper chose it in; null: unknown. */
  hub_id: z.number().nullable(),
  variant_id: z.number(),
});
type ItemRow = z.infer<typeof ItemRow>;

/** A variant with its current offer in the hub. `price_cents` is null where the hub has no offer for it. */
const OfferedRow = z.object({
  variant_id: z.number(),
  variant_title: z.string(),
  ...SizeColumns.shape,
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

/** A line with its variant and its bundle. */
export const CartLineRow = ItemRow.extend({
  ...OfferedRow.shape,
  bundle_title: z.string().nullable(),
  bundle_discount_ppm: z.number(),
  /** The items of one unit of its bundle, and whether the hub has them now. */
  bundle_parts: z.array(z.object({ variantId: z.number(), quantity: z.number(), isAvailable: z.boolean() })),
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

/** The notices about orders in a customer's cart. */
const NoticesRow = z.object({
  /** Why auto-checkout did not order for that delivery, while it still applies; null: no problem. */
  auto_problem: z.string().nullable(),
  /** Where the customer receives: the name of the pickup point, or the zip code. */
  auto_place: z.string().nullable(),
  /** An order whose authorization has ended and was neither renewed nor charged; the earliest to close. */
  lost_hold: z
    .object({ order_id: z.number(), cutoff_at: z.string(), time_zone: z.string(), is_unconfirmed: z.boolean() })
    .nullable(),
});
export type NoticesRow = z.infer<typeof NoticesRow>;

const itemColumns = sql`ci.id, ci.quantity, ci.watching, ci.bundle_id, ci.subscription_interval, ci.seen_price_cents, ci.hub_id`;
/** The columns of a variant `v` as `OfferedRow`; `offeredJoins` are the tables they name. */
const offeredColumns = sql`v.id as variant_id, v.title as variant_title, ${sizeColumns},
          to_char(v.pre_order_date, 'YYYY-MM-DD') as pre_order_date, p.id as product_id, p.slug as product_slug, p.title as product_title,
          ve.id as vendor_id, ve.slug as vendor_slug, ve.name as vendor_name, ve.city as vendor_city,
          ve.state as vendor_state, o.id as offer_id, o.price_cents, o.sale_price_cents,
          coalesce(o.inventory, 0) as inventory, coalesce(o.is_published and p.is_published and ve.is_published, false) as is_published`;
const offeredJoins = (hubId: number | null) => sql`
  join product p on p.id = v.product_id
  join vendor ve on ve.id = p.vendor_id
  left join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int`;

const PicturedRow = OfferedRow.extend({ picture: PictureRow.nullable(), vendor_avatar: PictureRow.nullable() });
/** A variant with its current offer, the first picture of its product, and its vendor's. */
export type PicturedRow = z.infer<typeof PicturedRow>;

export const findPictured = (db: Conn, hubId: number | null, variantIds: readonly number[]): Promise<PicturedRow[]> =>
  query(
    db,
    sql`select ${offeredColumns}, ${joinedPicture.pic} as picture, ${joinedPicture.avatar} as vendor_avatar
        from variant v ${offeredJoins(hubId)}
        left join product_picture pp on pp.product_id = p.id and pp.position = 0
        left join picture pic on pic.id = pp.picture_id
        left join picture avatar on avatar.id = ve.avatar_id
        where v.id = any(${variantIds}::int[])`,
    PicturedRow,
  );

type LineRow = ItemRow & z.infer<typeof OfferedRow>;
const LineRow = ItemRow.extend(OfferedRow.shape);

/** Adds to lines what their bundles are; without a statement when no line is of a bundle. */
export async function withBundles(db: Conn, hubId: number | null, lines: readonly LineRow[]): Promise<CartLineRow[]> {
  const ids = [...new Set(lines.flatMap((line) => line.bundle_id ?? []))];
  const BundleRow = CartLineRow.pick({ bundle_title: true, bundle_discount_ppm: true, bundle_parts: true });
  const bundles =
    ids.length === 0
      ? []
      : await query(
          db,
          sql`select b.id, b.title as bundle_title, case when b.is_published then b.discount_ppm else 0 end as bundle_discount_ppm,
                coalesce((select jsonb_agg(jsonb_build_object('variantId', bi.variant_id, 'quantity', bi.quantity, 'isAvailable',
                    coalesce(o.is_published and p.is_published and ve.is_published and o.inventory >= bi.quantity, false)))
                  from bundle_item bi join variant v on v.id = bi.variant_id ${offeredJoins(hubId)} where bi.bundle_id = b.id), '[]') as bundle_parts
              from bundle b where b.id = any(${ids}::int[])`,
          BundleRow.extend({ id: z.number() }),
        );
  return lines.map((line) => {
    const bundle = bundles.find(({ id }) => id === line.bundle_id);
    return {
      ...line,
      bundle_title: bundle?.bundle_title ?? null,
      bundle_discount_ppm: bundle?.bundle_discount_ppm ?? 0,
      bundle_parts: bundle?.bundle_parts ?? [],
    };
  });
}

/** Lines that a subscription would add, as they would be in a cart. Ids are their positions, from 1. */
export async function findLinesToBe(
  db: Conn,
  hubId: number,
  lines: readonly { variantId: number; bundleId: number | null; quantity: number; weeks: number }[],
): Promise<CartLineRow[]> {
  const rows = await query(
    db,
    sql`select ${itemColumns}, ${offeredColumns}
        from (
          select (row_number() over ())::int as id, l.quantity, false as watching, l."bundleId" as bundle_id, l.weeks as subscription_interval,
            0 as seen_price_cents, ${hubId}::int as hub_id, l."variantId" as variant_id
          from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l ("variantId" int, "bundleId" int, quantity int, weeks int)) ci
        join variant v on v.id = ci.variant_id ${offeredJoins(hubId)} order by ci.id`,
    LineRow,
  );
  return withBundles(db, hubId, rows);
}

/** A cart without its lines. */
const HeadRow = CartRow.omit({ lines: true, code: true }).extend({ discount_code_id: z.number().nullable() });
type HeadRow = z.infer<typeof HeadRow>;
const NoLine = z.object({ id: z.null() });
const headOrLine = <T extends z.ZodRawShape, L extends z.ZodRawShape>(head: z.ZodObject<T>, line: z.ZodObject<L>) =>
  z.union([head.extend(line.shape), head.extend(NoLine.shape).loose()]);
const LineOfCartRow = headOrLine(HeadRow, LineRow);
const NoticedHeadRow = HeadRow.extend(NoticesRow.shape);
const ItemOfCartRow = headOrLine(NoticedHeadRow, ItemRow);

/** Columns of a cart's head that are a customer's: the referral. `referralJoin` is the table they name. */
const referralColumns = (owner: CartOwner) =>
  "customerId" in owner
    ? sql`r.friend_id is not null and r.refused is null as has_referral, r.refused as referral_refused`
    : sql`false as has_referral, null::text as referral_refused`;
const referralJoin = (owner: CartOwner) =>
  "customerId" in owner
    ? sql`left join referral r on r.friend_id = ${owner.customerId}::int and r.order_id is null
          and not exists (select 1 from orders od where od.customer_id = r.friend_id and od.status <> 'cancelled')`
    : empty;

/** The columns of `NoticesRow`; a guest has no notices. `deliveryId`: the hub's next delivery. */
const noticesColumns = (owner: CartOwner, deliveryId: number | null) =>
  "customerId" in owner
    ? sql`(select ar.outcome from auto_checkout_result ar
            where ar.delivery_id = ${deliveryId}::int and ar.customer_id = ${owner.customerId}::int
              and ar.outcome in ('nothing', 'choose_market', 'no_address', 'pickup_gone', 'pickup_elsewhere', 'not_served', 'place_changed', 'no_card', 'declined', 'unconfirmed', 'failed')
              and not exists (select 1 from orders od where od.customer_id = ${owner.customerId}::int and od.delivery_id = ${deliveryId}::int
                and od.status <> 'cancelled')) as auto_problem,
          (select coalesce((select pp.name from pickup_point pp where pp.id = cu.pickup_point_id),
              (select a.zip_code from address a where a.customer_id = cu.id and a.is_default))
            from customer cu where cu.id = ${owner.customerId}::int) as auto_place,
          (select jsonb_build_object('order_id', ol.id, 'cutoff_at', dl.cutoff_at, 'time_zone', hl.time_zone,
              'is_unconfirmed', pl.unconfirmed_at is not null)
            from payment pl join orders ol on ol.payment_id = pl.id and ol.status in ('open', 'future')
            join delivery dl on dl.id = ol.delivery_id join hub hl on hl.id = ol.hub_id
            where pl.customer_id = ${owner.customerId}::int and pl.hold_lost_at is not null and pl.state = 'authorized'
            order by dl.cutoff_at, ol.id limit 1) as lost_hold`
    : sql`null::text as auto_problem, null::text as auto_place, null::jsonb as lost_hold`;

/** A cart as one row for each line, or one row without a line; `line`: the columns and tables of its items `ci`. */
const selectCart = (owner: CartOwner, more: Sql, line: { columns: Sql; joins: Sql }) =>
  sql`select c.id as cart_id, coalesce(c.version, 0) as version, c.discount_code_id, ${referralColumns(owner)} ${more}, line.*
        from (select 1) as one left join cart c on ${isOwn(owner)} ${referralJoin(owner)}
        left join lateral (select ${itemColumns}, ${line.columns} from cart_item ci ${line.joins} where ci.cart_id = c.id) as line on true
        order by line.id`;

/** The discount code of a cart; and whether its referral applies, which it does not if friend and referrer are one person. */
async function findDiscounts(
  db: Conn,
  owner: CartOwner,
  head: HeadRow,
  address?: StreetAddress,
): Promise<Pick<CartRow, "code" | "has_referral" | "referral_refused">> {
  const customerId = "customerId" in owner ? owner.customerId : null;
  const codeId = head.discount_code_id;
  const code = codeId === null ? null : await findCode(db, sql`dc.id = ${codeId}::int`, customerId);
  const isOpen = head.has_referral && customerId !== null;
  const refused = isOpen ? await findReferralRefusal(db, customerId, address) : null;
  return {
    code,
    has_referral: head.has_referral && refused === null,
    referral_refused: refused ?? head.referral_refused,
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
  const offered = {
    columns: offeredColumns,
    joins: sql`join variant v on v.id = ci.variant_id ${offeredJoins(hubId)}`,
  };
  const rows = await query(db, selectCart(owner, empty, offered), LineOfCartRow);
  const [head] = rows;
  if (!head) throw new Error("a cart without a row");
  const lines = rows.filter((row): row is HeadRow & LineRow => row.id !== null);
  return {
    cart_id: head.cart_id,
    version: head.version,
    ...(await findDiscounts(db, owner, head, address)),
    lines: await withBundles(db, hubId, lines),
  };
}

/** A cart without its hub's facts about the lines. */
export type StoredCart = Omit<CartRow, "lines"> & NoticesRow & { items: ItemRow[] };

async function storedCart(
  db: Conn,
  owner: CartOwner,
  head: z.infer<typeof NoticedHeadRow>,
  items: ItemRow[],
): Promise<StoredCart> {
  const { cart_id, version, auto_problem, auto_place, lost_hold } = head;
  return { cart_id, version, auto_problem, auto_place, lost_hold, items, ...(await findDiscounts(db, owner, head)) };
}

/** The cart as stored, in one statement; one more each for a discount code and an open referral discount. */
export async function loadStoredCart(db: Conn, owner: CartOwner, deliveryId: number | null): Promise<StoredCart> {
  const more = sql`, ${noticesColumns(owner, deliveryId)}`;
  const rows = await query(db, selectCart(owner, more, { columns: sql`ci.variant_id`, joins: empty }), ItemOfCartRow);
  const [head] = rows;
  if (!head) throw new Error("a cart without a row");
  const items = rows.filter((row): row is z.infer<typeof NoticedHeadRow> & ItemRow => row.id !== null);
  return storedCart(db, owner, head, items);
}

const GuestRow = ProfileRow.extend({
  cart: NoticedHeadRow.extend({ items: z.array(ItemRow) }),
});

/** A guest's profile and cart, for pages, in one statement. Null when there is no such guest. */
export async function loadGuest(db: Conn, guestId: GuestId): Promise<{ profile: ProfileRow; cart: StoredCart } | null> {
  const row = await queryOne(
    db,
    sql`select ${guestProfile}, jsonb_build_object('cart_id', c.id, 'version', coalesce(c.version, 0), 'discount_code_id', c.discount_code_id,
          'has_referral', false, 'referral_refused', null, 'auto_problem', null, 'auto_place', null, 'lost_hold', null,
          'items', coalesce((select jsonb_agg(to_jsonb(line) order by line.id) from (
            select ${itemColumns}, ci.variant_id from cart_item ci where ci.cart_id = c.id) line), '[]')) as cart
        from guest g left join cart c on c.guest_id = g.id where g.id = ${guestId}::uuid`,
    GuestRow,
  );
  if (!row) return null;
  const { cart, ...profile } = row;
  const { items, ...head } = cart;
  return { profile, cart: await storedCart(db, { guestId }, head, items) };
}

const LockedCartRow = z.object({ id: z.number(), version: z.number(), discount_code_id: z.number().nullable() });

/** Creates the owner's cart, or counts its version up and locks it. A new cart has version 0. */
const upsertCart = (owner: CartOwner, now: Date, condition: Sql = empty) => {
  const [column, id] =
    "customerId" in owner
      ? [sql`customer_id`, sql`${owner.customerId}::int`]
      : [sql`guest_id`, sql`${owner.guestId}::uuid`];
  return sql`insert into cart (${column}, updated_at) select ${id}, ${now}::timestamptz ${condition}
            on conflict (${column}) do update set version = cart.version + 1, updated_at = excluded.updated_at
            returning id, version, discount_code_id`;
};

/**
 * Creates the owner's cart if there is none, and locks it until the transaction ends. The row lock orders the writes of two devices
 * and a checkout.
 */
export async function lockCart(tx: AnyTx, owner: CartOwner, now: Date): Promise<{ id: number; version: number }> {
  const [row] = await query(tx, upsertCart(owner, now), LockedCartRow);
  if (!row) throw new Error("a cart without a row");
  return row;
}

/**
 * Locks the customer's cart, if there is one, until the transaction ends. The lock comes before those of the customer's
 * checkouts, subscriptions and orders (docs/architecture.md, Lock order).
 */
export const lockExistingCart = (tx: AnyTx, customerId: CustomerId) =>
  execute(tx, sql`select id from cart where customer_id = ${customerId}::int for update`);

/** A line to write; quantity 0 removes it. */
export interface NewLine {
  variantId: number;
  bundleId: number | null;
  quantity: number;
  watching: boolean;
  seenPriceCents: number | null;
}

/** A cart as the shopper saw it when they changed it. */
export type SeenCart = { id: number; revision: number } | null;

const WriteResult = NoticedHeadRow.extend({
  /** New lines do not fit (`CART_LINES_MAX`); nothing is written. */
  is_full: z.boolean(),
  /** The cart was changed by someone else after the statement began, so its lines were not known; nothing is written. */
  is_superseded: z.boolean(),
  /** The version that an order left since the cart was seen, and nothing is written; else null. */
  ordered_version: z.number().nullable(),
  /** All lines of the cart after the write. */
  items: z.array(ItemRow),
});

/**
 * Writes lines in one statement, and creates the cart if there is none. Writes nothing when new lines would exceed `CART_LINES_MAX`;
 * any line of the cart may be removed; nor when the cart was ordered since it was `seen`. New lines keep the order of the request.
 * Other lines stay as they are.
 * @param market the hub that the lines are chosen in, and its next delivery, for the notices of the cart that it returns
 */
export async function writeLines(
  conn: Conn,
  owner: CartOwner,
  lines: readonly NewLine[],
  { hubId, deliveryId }: { hubId: number; deliveryId: number | null },
  seen: SeenCart,
  now: Date,
): Promise<{ cart: StoredCart } & Pick<z.infer<typeof WriteResult>, "is_full" | "is_superseded" | "ordered_version">> {
  const columnOf = <T>(of: (line: NewLine) => T): T[] => lines.map(of);
  const [row] = await query(
    conn,
    sql`with wanted as (
          select * from unnest(${columnOf((line) => line.variantId)}::int[], ${columnOf((line) => line.bundleId)}::int[],
            ${columnOf((line) => line.quantity)}::int[], ${columnOf((line) => line.watching)}::boolean[],
            ${columnOf((line) => line.seenPriceCents)}::int[])
            with ordinality as w (variant_id, bundle_id, quantity, watching, price_cents, place)),
        before as (
          select c.version, ${itemColumns}, ci.variant_id from cart c left join cart_item ci on ci.cart_id = c.id where ${isOwn(owner)}),
        fits as (
          select count(*) filter (where w.quantity > 0 and b.id is null) = 0
            or count(*) filter (where coalesce(w.quantity, 1) > 0) <= ${CART_LINES_MAX}::int as fits
          from wanted w full join (select * from before where id is not null) b
            on b.variant_id = w.variant_id and coalesce(b.bundle_id, 0) = coalesce(w.bundle_id, 0)),
        ordered as (
          select max(c.ordered_version) as version from cart c
          where ${isOwn(owner)} and c.id = ${seen?.id ?? null}::int and c.ordered_version > ${seen?.revision ?? null}::int),
        locked as (${upsertCart(owner, now, sql`where (select fits from fits) and (select version from ordered) is null`)}),
        current as (select id from locked where version = coalesce((select version + 1 from before limit 1), 0)),
        ${
          lines.some(({ quantity }) => quantity === 0)
            ? sql`removed as (
          delete from cart_item ci using wanted w, current where ci.cart_id = current.id and ci.variant_id = w.variant_id
            and ci.bundle_id is not distinct from w.bundle_id and w.quantity = 0),`
            : empty
        }
        upserted as (
          insert into cart_item (cart_id, variant_id, bundle_id, quantity, watching, seen_price_cents, hub_id, created_at)
          select current.id, w.variant_id, w.bundle_id, w.quantity, w.watching, w.price_cents, ${hubId}::int, ${now}::timestamptz
          from current, wanted w where w.quantity > 0 order by w.place
          on conflict (cart_id, variant_id, bundle_id) do update
            set quantity = excluded.quantity, watching = excluded.watching, seen_price_cents = excluded.seen_price_cents,
              hub_id = excluded.hub_id
          returning *),
        -- A statement does not see its own writes, so the lines are those it wrote and those it left alone.
        after as (
          select ${itemColumns}, ci.variant_id from upserted ci
          union all
          select ${itemColumns}, ci.variant_id from before ci where ci.id is not null and not exists (
            select 1 from wanted w where w.variant_id = ci.variant_id and w.bundle_id is not distinct from ci.bundle_id))
        select locked.id as cart_id, coalesce(locked.version, 0) as version, locked.discount_code_id, ${referralColumns(owner)},
          ${noticesColumns(owner, deliveryId)},
          coalesce((select jsonb_agg(to_jsonb(after) order by id) from after), '[]') as items,
          (select not fits from fits) as is_full, (select version from ordered) as ordered_version,
          locked.id is not null and not exists (select 1 from current) as is_superseded
        from (select 1) as one left join locked on true ${referralJoin(owner)}`,
    WriteResult,
  );
  if (!row) throw new Error("the cart returned no row");
  const { is_full, is_superseded, ordered_version, items, ...head } = row;
  return { is_full, is_superseded, ordered_version, cart: await storedCart(conn, owner, head, items) };
}

/** Those of these bundles' variants that the hub sells in the bundle, as `bundle variant`. */
export async function findBundled(db: Conn, hubId: number, bundleIds: readonly number[]): Promise<Set<string>> {
  const rows = await query(
    db,
    sql`select b.id as bundle_id, bi.variant_id from bundle b join bundle_hub bh on bh.bundle_id = b.id and bh.hub_id = ${hubId}::int
        join bundle_item bi on bi.bundle_id = b.id where b.id = any(${bundleIds}::int[]) and b.is_published`,
    z.object({ bundle_id: z.number(), variant_id: z.number() }),
  );
  return new Set(rows.map((row) => `${row.bundle_id} ${row.variant_id}`));
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
 * while there is room (`CART_LINES_MAX`). They stay lines of the market that they were chosen in. A line of the customer's own market
 * stays one where the guest has no more of it; where it is subscribed to, its quantity stays too, because it is ordered automatically.
 */
export async function mergeGuestCart(tx: AnyTx, guestId: GuestId, customerCartId: number): Promise<void> {
  const isSubscribedElsewhere = sql`(cart_item.subscription_interval is not null
              and coalesce(cart_item.hub_id, (select id from own_market)) is distinct from excluded.hub_id)`;
  await execute(
    tx,
    sql`with guest_cart as (
          select c.id, c.discount_code_id, g.hub_id from cart c join guest g on g.id = c.guest_id where c.guest_id = ${guestId}::uuid),
        own_market as (select cu.hub_id as id from cart c join customer cu on cu.id = c.customer_id where c.id = ${customerCartId}::int),
        taken as (
          insert into cart_item (cart_id, variant_id, bundle_id, quantity, watching, subscription_interval, seen_price_cents, hub_id, created_at)
          select ${customerCartId}::int, ci.variant_id, ci.bundle_id, ci.quantity, ci.watching, ci.subscription_interval, ci.seen_price_cents,
            coalesce(ci.hub_id, ci.guest_hub_id), ci.created_at
          from (
            select ci.*, g.hub_id as guest_hub_id, own.id is null as is_new, row_number() over (partition by own.id is null order by ci.created_at, ci.id) as place
            from cart_item ci join guest_cart g on g.id = ci.cart_id
            left join cart_item own on own.cart_id = ${customerCartId}::int and own.variant_id = ci.variant_id and own.bundle_id is not distinct from ci.bundle_id) ci
          where not ci.is_new or ci.place <= ${CART_LINES_MAX}::int - (select count(*) from cart_item where cart_id = ${customerCartId}::int)
          on conflict (cart_id, variant_id, bundle_id) do update set
            quantity = case when ${isSubscribedElsewhere} then cart_item.quantity else greatest(cart_item.quantity, excluded.quantity) end,
            hub_id = case when ${isSubscribedElsewhere}
                or (coalesce(cart_item.hub_id, (select id from own_market)) = (select id from own_market) and excluded.quantity <= cart_item.quantity)
              then cart_item.hub_id else excluded.hub_id end
          returning 1)
        update cart set discount_code_id = coalesce(cart.discount_code_id, (select discount_code_id from guest_cart))
        where id = ${customerCartId}::int`,
  );
  await execute(tx, sql`delete from cart where guest_id = ${guestId}::uuid`);
}
