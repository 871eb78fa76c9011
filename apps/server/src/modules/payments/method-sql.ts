import { type AnyTx, type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import type { CustomerId } from "../identity/context.ts";
import { chargeAgain, hasUnconfirmedHold, lockSetAside } from "./set-aside-sql.ts";

const IdRow = z.object({ id: z.number() });
const LockedRow = z.object({ last4: z.string(), is_default: z.boolean() });

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
export async function lockMethods(tx: AnyTx, customerId: CustomerId): Promise<boolean> {
  const owner = sql`select id from customer where id = ${customerId}::int and deleted_at is null for no key update`;
  return (await queryOne(tx, owner, IdRow)) !== null;
}

/** Locks one of the customer's cards. Null: the customer has no such card, or no longer. */
export const lockMethod = (
  tx: AnyTx,
  customerId: CustomerId,
  id: number,
): Promise<{ last4: string; is_default: boolean } | null> =>
  queryOne(
    tx,
    sql`select last4, is_default from payment_method where id = ${id}::int and customer_id = ${customerId}::int and deleted_at is null for update`,
    LockedRow,
  );

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
  const own = sql`select id from payment_method where id = ${id}::int and customer_id = ${customerId}::int and deleted_at is null`;
  if (!(await queryOne(tx, own, IdRow))) return null;
  const setAside = await lockSetAside(tx, customerId);
  await lockMethods(tx, customerId);
  // It may have been removed while the lock was awaited.
  if (!(await lockMethod(tx, customerId, id))) return null;
  const isOther = await switchDefault(tx, customerId, id);
  if (isOther) await chargeAgain(tx, setAside, now);
  return isOther;
}

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
