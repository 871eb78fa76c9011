import { type Conn, execute, query, queryOne, type Sql, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import { asCustomerId, type CustomerId } from "../../lib/context.ts";
import { enqueueMail } from "../mail/store.ts";
import { chargeAgain } from "./order-charge-store.ts";

export const MethodRow = z.object({
  id: z.number(),
  provider_ref: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
  is_default: z.boolean(),
});
export type MethodRow = z.infer<typeof MethodRow>;

/** The customer's cards with this provider, the default first. */
export const findMethods = (db: Conn, customerId: CustomerId, provider: string): Promise<MethodRow[]> =>
  query(
    db,
    sql`select id, provider_ref, brand, last4, exp_month, exp_year, is_default from payment_method
        where customer_id = ${customerId}::int and provider = ${provider} and deleted_at is null order by is_default desc, id desc`,
    MethodRow,
  );

/** How a card was kept: as a new one, as before (the same answer twice), or not at all, as a second copy of a kept card. */
export interface Kept {
  how: "new" | "known" | "copy";
  /** The saved card; null: the provider's card was saved and removed before. */
  id: number | null;
}

/**
 * Keeps a card; the first one becomes the default. The same card (by its fingerprint) is kept once (docs/product.md §17):
 * the caller detaches a second copy at the provider. Orders that could not be charged are charged again.
 */
export async function insertMethod(
  tx: SqlTx,
  customerId: CustomerId,
  provider: string,
  saved: SavedMethod,
  now: Date,
): Promise<Kept> {
  // Orders before their customer, as those who edit and cancel lock them.
  await chargeAgain(tx, customerId, now);
  // Two requests that save one card at the same time take turns here; `payment_method_card_key` enforces it in any case.
  await query(tx, sql`select id from customer where id = ${customerId}::int for no key update`, IdRow);
  const known = await queryOne(
    tx,
    sql`update payment_method set exp_month = ${saved.expMonth}::int, exp_year = ${saved.expYear}::int
        where customer_id = ${customerId}::int and provider = ${provider} and fingerprint = ${saved.fingerprint} and fingerprint <> '' and deleted_at is null
        returning id, provider_ref`,
    z.object({ id: z.number(), provider_ref: z.string() }),
  );
  if (known) return { how: known.provider_ref === saved.ref ? "known" : "copy", id: known.id };
  const inserted = await queryOne(
    tx,
    sql`insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, fingerprint, is_default, created_at)
        select ${customerId}::int, ${provider}, ${saved.ref}, ${saved.brand}, ${saved.last4}, ${saved.expMonth}::int, ${saved.expYear}::int, ${saved.fingerprint},
          not exists (select 1 from payment_method m where m.customer_id = ${customerId}::int and m.is_default and m.deleted_at is null), ${now}
        on conflict (provider, provider_ref) do nothing returning id`,
    IdRow,
  );
  if (inserted) return { how: "new", id: inserted.id };
  const same = await queryOne(
    tx,
    sql`select id from payment_method where provider = ${provider} and provider_ref = ${saved.ref}
          and customer_id = ${customerId}::int and deleted_at is null`,
    IdRow,
  );
  return { how: "known", id: same?.id ?? null };
}

/** Makes one card the default, off before on; false when it is not the customer's. Orders that could not be charged are charged again. */
export async function makeDefault(tx: Conn, customerId: CustomerId, id: number, now: Date): Promise<boolean> {
  const mine = await queryOne(
    tx,
    sql`select id from payment_method where id = ${id}::int and customer_id = ${customerId}::int and deleted_at is null for update`,
    z.object({ id: z.number() }),
  );
  if (!mine) return false;
  await execute(
    tx,
    sql`update payment_method set is_default = false where customer_id = ${customerId}::int and is_default and id <> ${id}::int`,
  );
  await execute(tx, sql`update payment_method set is_default = true where id = ${id}::int`);
  await chargeAgain(tx, customerId, now);
  return true;
}

const InUse = z.object({ in_use: z.boolean(), provider_ref: z.string() });
const IdRow = z.object({ id: z.number() });

/**
 * Whether the customer has this card. Its row stays as it is until the transaction ends: removing the card waits, and
 * then sees what was written with it (`findUse`).
 */
export const keepMethod = async (tx: SqlTx, customerId: CustomerId, id: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from payment_method where id = ${id}::int and customer_id = ${customerId}::int and deleted_at is null for share`,
    IdRow,
  )) !== null;

/** The orders `o` of customer `c` that have no charge and will be charged on the default card. */
const needsCard = (customer: Sql) => sql`select o.id from orders o left join payment p on p.id = o.payment_id
  where o.customer_id = ${customer} and o.status in ('future', 'open', 'pending', 'closed') and o.order_total_cents > o.credit_cents
    and o.written_off_at is null and coalesce(p.provider, '') <> 'offline'
    and (p.id is null or p.state in ('created', 'failed', 'voided') or (p.state = 'authorized' and p.hold_lost_at is not null))`;

/**
 * Whether this card is needed: by an order that it holds money for, a checkout that is under way, an order that will be charged
 * on the default card, or a pass that renews. The card's row is locked first, so that what is written at this moment
 * counts. Null: not the customer's.
 */
export async function findUse(tx: SqlTx, customerId: CustomerId, id: number): Promise<z.infer<typeof InUse> | null> {
  await query(tx, sql`select id from payment_method where id = ${id}::int for update`, IdRow);
  return queryOne(
    tx,
    sql`select (exists (
            select 1 from payment p join orders o on o.payment_id = p.id
            where p.payment_method_id = m.id and p.state = 'authorized' and o.status in ('open', 'future', 'pending'))
          or exists (
            select 1 from checkout_attempt a where a.customer_id = m.customer_id and a.state in ('held', 'challenge')
              and a.choice->>'paymentMethodId' = m.id::text)
          or (m.is_default and (exists (select 1 from wagon_pass w where w.customer_id = m.customer_id and w.status = 'active')
            or exists (${needsCard(sql`m.customer_id`)})))) as in_use, m.provider_ref
        from payment_method m where m.id = ${id}::int and m.customer_id = ${customerId}::int and m.deleted_at is null`,
    InUse,
  );
}

/** Takes a card off; the newest of the others becomes the default. */
export async function removeMethod(tx: SqlTx, customerId: CustomerId, id: number, now: Date): Promise<void> {
  await execute(
    tx,
    sql`update payment_method set deleted_at = ${now}, is_default = false where id = ${id}::int and customer_id = ${customerId}::int`,
  );
  await execute(
    tx,
    sql`update payment_method set is_default = true
        where id = (select max(id) from payment_method where customer_id = ${customerId}::int and deleted_at is null)
          and not exists (select 1 from payment_method where customer_id = ${customerId}::int and deleted_at is null and is_default)`,
  );
}

const LostRow = z.object({ id: z.number(), customer_id: z.number(), last4: z.string(), was_default: z.boolean() });
const NextRow = z.object({ last4: z.string().nullable(), order_id: z.number().nullable() });

/**
 * A card that the provider no longer has: another one becomes the default, and where an order needs a card the shopper gets a
 * mail that says which card is charged now, or that there is none. False: it was gone already.
 */
export async function loseMethod(tx: SqlTx, provider: string, ref: string, now: Date): Promise<boolean> {
  const lost = await queryOne(
    tx,
    sql`select id, customer_id, last4, is_default as was_default from payment_method
        where provider = ${provider} and provider_ref = ${ref} and deleted_at is null for update`,
    LostRow,
  );
  if (!lost) return false;
  await removeMethod(tx, asCustomerId(lost.customer_id), lost.id, now);
  if (!lost.was_default) return true;
  const next = await queryOne(
    tx,
    sql`select (select last4 from payment_method where customer_id = ${lost.customer_id}::int and is_default and deleted_at is null) as last4,
          (select min(n.id) from (${needsCard(sql`${lost.customer_id}::int`)}) n) as order_id`,
    NextRow,
  );
  if (next?.order_id != null)
    await enqueueMail(tx, {
      key: `card-removed:${lost.id}`,
      template: "card-removed",
      customerId: lost.customer_id,
      data: { last4: lost.last4, nextLast4: next.last4, orderId: next.order_id },
      now,
    });
  return true;
}

const Purpose = z.union([
  z.object({ kind: z.literal("gift-card"), recipientEmail: z.string(), message: z.string(), deliverOn: z.string() }),
  z.object({ kind: z.literal("wagon-pass"), plan: z.enum(["monthly", "yearly"]), passId: z.number().nullable() }),
]);
export type Purpose = z.infer<typeof Purpose>;

export const PurchaseRow = z.object({
  id: z.string(),
  customer_id: z.number(),
  state: z.string(),
  amount_cents: z.number(),
  purpose: Purpose,
  payment_method_id: z.number().nullable(),
  idempotency_key: z.string().nullable(),
  provider_ref: z.string().nullable(),
  created_at: z.date(),
});
export type PurchaseRow = z.infer<typeof PurchaseRow>;

interface NewPurchase {
  id: string;
  customerId: CustomerId;
  provider: string;
  amountCents: number;
  purpose: Purpose;
  methodId: number | null;
  idempotencyKey: string | null;
  countedAs: readonly string[];
  now: Date;
}

/**
 * Part of a `with` in which `counted` has the `counted_as` of a payment that succeeded: it counts against no limit on
 * payment attempts any more.
 */
export const uncounted: Sql = sql`
  uncounted as (update rate_limit r set points = r.points - 1 from counted where r.key = any(counted.counted_as) and r.points > 0)`;

/** Inserted before the provider is called, so that the sweep can finish it. */
export const insertPurchase = (db: Conn, purchase: NewPurchase) =>
  execute(
    db,
    sql`insert into payment (id, charge_key, customer_id, provider, state, amount_cents, purpose, payment_method_id, idempotency_key, counted_as, created_at)
        values (${purchase.id}::uuid, ${purchase.id}::uuid, ${purchase.customerId}::int, ${purchase.provider}, 'created', ${purchase.amountCents}::int,
          ${JSON.stringify(purchase.purpose)}::jsonb, ${purchase.methodId}::int, ${purchase.idempotencyKey}, ${[...purchase.countedAs]}::text[], ${purchase.now})`,
  );

const columns = sql`id::text as id, customer_id, state, amount_cents, purpose, payment_method_id, idempotency_key, provider_ref, created_at`;

/** A purchase that is still open, locked. Null: it has ended. */
export const lockOpenPurchase = (tx: Conn, id: string): Promise<PurchaseRow | null> =>
  queryOne(
    tx,
    sql`select ${columns} from payment where id = ${id}::uuid and state in ('created', 'challenge', 'authorized') and purpose is not null for update`,
    PurchaseRow,
  );

export const findPurchaseByKey = (db: Conn, key: string): Promise<PurchaseRow | null> =>
  queryOne(
    db,
    sql`select ${columns} from payment where idempotency_key = ${key} and purpose is not null order by created_at desc limit 1`,
    PurchaseRow,
  );

export const findPurchase = (db: Conn, id: string): Promise<PurchaseRow | null> =>
  queryOne(db, sql`select ${columns} from payment where id = ${id}::uuid and purpose is not null`, PurchaseRow);

/** States of a purchase that is not over. */
export type OpenPurchase = "created" | "challenge" | "authorized";

/** Moves an open purchase on, with what the provider calls it and, once known, the card's fingerprint; false when it is somewhere else by now. */
export const movePurchase = async (
  db: Conn,
  id: string,
  from: readonly OpenPurchase[],
  to: "challenge" | "authorized",
  ref: string,
  cardFingerprint: string | null = null,
): Promise<boolean> =>
  (await execute(
    db,
    sql`update payment set state = ${to}, provider_ref = ${ref}, card_fingerprint = coalesce(${cardFingerprint}::text, card_fingerprint) where id = ${id}::uuid and state = any(${[...from]}::text[]) and purpose is not null`,
  )) === 1;

/** The condition of a purchase whose request died before `before`, or whose bank's question is older than `unanswered`. */
export const isAbandoned = (before: Date, unanswered: Date): Sql =>
  sql`purpose is not null and ((state in ('created', 'authorized') and created_at <= ${before})
        or (state = 'challenge' and created_at <= ${unanswered}))`;

/** Purchases whose request died before `before`, and bank's questions older than `unanswered`, oldest first. `isNotPaused`: of a `payment`. */
export const findAbandonedPurchases = (db: Conn, before: Date, unanswered: Date, isNotPaused: Sql, limit: number) =>
  query(
    db,
    sql`select id::text as id from payment where (${isAbandoned(before, unanswered)}) and ${isNotPaused} order by created_at limit ${limit}::int`,
    z.object({ id: z.string() }),
  );

/** The money of a purchase is taken. */
export const settlePurchase = (tx: Conn, id: string, ref: string, now: Date) =>
  execute(
    tx,
    sql`with counted as (select counted_as from payment where id = ${id}::uuid), ${uncounted}
        update payment set state = 'captured', provider_ref = ${ref}, authorized_at = ${now}, captured_cents = amount_cents, counted_as = '{}'
        where id = ${id}::uuid`,
  );

/**
 * Ends a purchase without a charge; false when it is somewhere else by now. Its charge is looked for until the provider has
 * voided it (`deleteOrphanedCharge`).
 */
export const endPurchase = async (
  db: Conn,
  id: string,
  from: readonly OpenPurchase[],
  state: "failed" | "voided",
  now: Date,
): Promise<boolean> =>
  (await execute(
    db,
    sql`update payment set state = ${state}, authorized_at = null, counted_as = '{}', unseen_since = ${now}, look_again_at = ${now}
        where id = ${id}::uuid and state = any(${[...from]}::text[]) and purpose is not null`,
  )) === 1;

/** The provider has let go of what a purchase was to be paid with. */
export const deleteOrphanedCharge = (db: Conn, id: string) =>
  execute(
    db,
    sql`update payment set unseen_since = null, look_again_at = null where id = ${id}::uuid and state in ('failed', 'voided')`,
  );

/** Books a purchase; the database refuses what does not sum to zero. */
export async function bookPurchase(
  tx: Conn,
  booking: { kind: string; paymentId: string | null; note: string; now: Date },
  entries: readonly { account: string; customerId: number | null; vendorId: number | null; amountCents: number }[],
): Promise<number | null> {
  const rows = await query(
    tx,
    sql`with t as (
          insert into ledger_transaction (kind, payment_id, note, created_at) values (${booking.kind}, ${booking.paymentId}::uuid, ${booking.note}, ${booking.now})
          returning id)
        insert into ledger_entry (transaction_id, account, customer_id, vendor_id, amount_cents)
        select t.id, e.account, e."customerId", e."vendorId", e."amountCents"
        from t, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (account text, "customerId" int, "vendorId" int, "amountCents" int)
        returning transaction_id as id`,
    z.object({ id: z.number() }),
  );
  return rows[0]?.id ?? null;
}
