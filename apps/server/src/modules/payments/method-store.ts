import { type Conn, type Db, execute, query, queryOne, type Sql, sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import { asCustomerId, type CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/store.ts";
import { chargeAgain, hasUnconfirmedHold, lockSetAside } from "./set-aside-store.ts";

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

/** The provider's reference of the customer's saved card; null: it was removed, or is another customer's. */
export async function findMethodRef(db: Db, customerId: CustomerId, id: number): Promise<string | null> {
  const method = await db.payment_method.findFirst({ where: { id, customer_id: customerId, deleted_at: null } });
  return method?.provider_ref ?? null;
}

/** How a card was kept: as a new one, as before (the same answer twice), or not at all: a second copy, or its customer is deleted. */
export interface Kept {
  how: "new" | "known" | "copy";
  /** It is a new card, and the default from now on. */
  isNewDefault?: boolean;
  /** The saved card; null: the provider's card was saved and removed before, or the customer is deleted. */
  id: number | null;
}

/**
 * Locks the customer, before any of the customer's cards is locked: requests that change several cards take turns. Orders are
 * locked before (docs/architecture.md, Lock order). False: the account is deleted.
 */
async function lockMethods(tx: AnyTx, customerId: CustomerId): Promise<boolean> {
  const owner = sql`select id from customer where id = ${customerId}::int and deleted_at is null for no key update`;
  return (await queryOne(tx, owner, IdRow)) !== null;
}

/** Makes one of the customer's cards the default, off before on. True: it was another one before. */
async function switchDefault(tx: AnyTx, customerId: CustomerId, id: number): Promise<boolean> {
  await execute(
    tx,
    sql`update payment_method set is_default = false where customer_id = ${customerId}::int and is_default and id <> ${id}::int`,
  );
  return (
    (await execute(tx, sql`update payment_method set is_default = true where id = ${id}::int and not is_default`)) === 1
  );
}

/**
 * Keeps a card; the first one becomes the default, and so does one that is added while an order waits for another card, because
 * the present one was refused or needs a confirmation. Orders that could not be charged are charged again, but not to the card that
 * was refused. The same card (by its fingerprint) is kept once (docs/product.md §17): the caller detaches a second copy at the
 * provider.
 */
export async function insertMethod(
  tx: AnyTx,
  customerId: CustomerId,
  provider: string,
  saved: SavedMethod,
  now: Date,
): Promise<Kept> {
  // Orders before their customer, as those who edit and cancel lock them.
  const setAside = await lockSetAside(tx, customerId);
  if (!(await lockMethods(tx, customerId))) return { how: "copy", id: null };
  const isRefused = setAside.some(({ is_refused }) => is_refused) || (await hasUnconfirmedHold(tx, customerId));
  const chargeTo = async (id: number) => {
    if (!isRefused || (await switchDefault(tx, customerId, id))) await chargeAgain(tx, setAside, now);
  };
  const known = await queryOne(
    tx,
    sql`update payment_method set exp_month = ${saved.expMonth}::int, exp_year = ${saved.expYear}::int
        where customer_id = ${customerId}::int and provider = ${provider} and fingerprint = ${saved.fingerprint} and fingerprint <> '' and deleted_at is null
        returning id, provider_ref`,
    z.object({ id: z.number(), provider_ref: z.string() }),
  );
  if (known) {
    await chargeTo(known.id);
    return { how: known.provider_ref === saved.ref ? "known" : "copy", id: known.id };
  }
  const inserted = await queryOne(
    tx,
    sql`insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, fingerprint, is_default, created_at)
        select ${customerId}::int, ${provider}, ${saved.ref}, ${saved.brand}, ${saved.last4}, ${saved.expMonth}::int, ${saved.expYear}::int, ${saved.fingerprint},
          not exists (select 1 from payment_method m where m.customer_id = ${customerId}::int and m.is_default and m.deleted_at is null), ${now}
        on conflict (provider, provider_ref) do nothing returning id, is_default`,
    z.object({ id: z.number(), is_default: z.boolean() }),
  );
  if (inserted) {
    if (isRefused) await switchDefault(tx, customerId, inserted.id);
    await chargeAgain(tx, setAside, now);
    return { how: "new", id: inserted.id, isNewDefault: inserted.is_default || isRefused };
  }
  const same = await queryOne(
    tx,
    sql`select id from payment_method where provider = ${provider} and provider_ref = ${saved.ref}
          and customer_id = ${customerId}::int and deleted_at is null`,
    IdRow,
  );
  if (same) await chargeTo(same.id);
  return { how: "known", id: same?.id ?? null };
}

/**
 * Makes one card the default. If it was another one before, orders that could not be charged are charged again.
 * @returns whether it was another card before; null: it is not the customer's
 */
export async function makeDefault(tx: AnyTx, customerId: CustomerId, id: number, now: Date): Promise<boolean | null> {
  const isOwn = sql`id = ${id}::int and customer_id = ${customerId}::int and deleted_at is null`;
  if (!(await queryOne(tx, sql`select id from payment_method where ${isOwn}`, IdRow))) return null;
  const setAside = await lockSetAside(tx, customerId);
  await lockMethods(tx, customerId);
  // It may have been removed while the lock was awaited.
  if (!(await queryOne(tx, sql`select id from payment_method where ${isOwn} for update`, IdRow))) return null;
  const isOther = await switchDefault(tx, customerId, id);
  if (isOther) await chargeAgain(tx, setAside, now);
  return isOther;
}

const InUse = z.object({ in_use: z.boolean(), provider_ref: z.string() });
const IdRow = z.object({ id: z.number() });

/**
 * Whether the customer has this card. Its row stays as it is until the transaction ends: removing the card waits, and
 * then sees what was written with it (`findUse`).
 */
export const keepMethod = async (tx: AnyTx, customerId: CustomerId, id: number): Promise<boolean> =>
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
export async function findUse(tx: AnyTx, customerId: CustomerId, id: number): Promise<z.infer<typeof InUse> | null> {
  await lockMethods(tx, customerId);
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

/** Takes a card off; the newest of the others becomes the default. @returns whether it was the default */
export async function removeMethod(tx: AnyTx, customerId: CustomerId, id: number, now: Date): Promise<boolean> {
  const removed = await queryOne(
    tx,
    sql`with old as (select id, is_default from payment_method where id = ${id}::int and customer_id = ${customerId}::int)
        update payment_method m set deleted_at = ${now}, is_default = false from old where m.id = old.id returning old.is_default`,
    z.object({ is_default: z.boolean() }),
  );
  await execute(
    tx,
    sql`update payment_method set is_default = true
        where id = (select max(id) from payment_method where customer_id = ${customerId}::int and deleted_at is null)
          and not exists (select 1 from payment_method where customer_id = ${customerId}::int and deleted_at is null and is_default)`,
  );
  return removed?.is_default ?? false;
}

const LostRow = z.object({ id: z.number(), last4: z.string(), was_default: z.boolean() });
const NextRow = z.object({ last4: z.string().nullable(), order_id: z.number().nullable() });

/**
 * A card that the provider no longer has: another one becomes the default, and where an order needs a card the shopper gets a
 * mail that says which card is charged now, or that there is none. Null: it was gone already.
 */
export async function deleteLostMethod(
  tx: AnyTx,
  provider: string,
  ref: string,
  now: Date,
): Promise<{ customerId: CustomerId; wasDefault: boolean } | null> {
  const ofCard = sql`provider = ${provider} and provider_ref = ${ref} and deleted_at is null`;
  const owner = await queryOne(tx, sql`select customer_id as id from payment_method where ${ofCard}`, IdRow);
  if (!owner) return null;
  const customerId = asCustomerId(owner.id);
  await lockMethods(tx, customerId);
  const lost = await queryOne(
    tx,
    sql`select id, last4, is_default as was_default from payment_method
        where ${ofCard} for update`,
    LostRow,
  );
  if (!lost) return null;
  await removeMethod(tx, customerId, lost.id, now);
  if (!lost.was_default) return { customerId, wasDefault: false };
  const next = await queryOne(
    tx,
    sql`select (select last4 from payment_method where customer_id = ${customerId}::int and is_default and deleted_at is null) as last4,
          (select min(n.id) from (${needsCard(sql`${customerId}::int`)}) n) as order_id`,
    NextRow,
  );
  if (next?.order_id != null)
    await enqueueMail(tx, {
      key: `card-removed:${lost.id}`,
      template: "card-removed",
      customerId,
      data: { last4: lost.last4, nextLast4: next.last4, orderId: next.order_id },
      now,
    });
  return { customerId, wasDefault: true };
}

/**
 * Removes what payments and saved cards say about a customer whose account is deleted. `emails`: every address the customer has or
 * had, in lower case; gift cards that others bought for them lose it.
 */
export async function forgetPayments(
  tx: Conn,
  customerId: number,
  emails: readonly string[],
  now: Date,
): Promise<void> {
  await execute(
    tx,
    sql`update payment set purpose = purpose - 'message' - 'recipientEmail'
        where customer_id = ${customerId}::int and purpose is not null and state in ('captured', 'voided', 'failed')`,
  );
  await execute(
    tx,
    sql`update payment set purpose = jsonb_set(purpose, '{recipientEmail}', '""')
        where lower(purpose->>'recipientEmail') = any(${[...emails]}::text[]) and state in ('captured', 'voided', 'failed')`,
  );
  // The card of a referral's order stays: the same card brings no second discount (docs/product.md §17).
  await execute(
    tx,
    sql`update payment p set card_fingerprint = null where p.customer_id = ${customerId}::int
          and not exists (select 1 from orders o join referral r on r.order_id = o.id where o.payment_id = p.id)`,
  );
  await execute(
    tx,
    sql`update payment_method set deleted_at = coalesce(deleted_at, ${now}), is_default = false, fingerprint = '', brand = '', last4 = '' where customer_id = ${customerId}::int`,
  );
}
