import { liveJob, type Sql, sql } from "@marketday/db";

import { isClosedDate } from "../hubs/delivery-sql.ts";
import { isCharging } from "../payments/order-charge-sql.ts";
import { isGoodwill } from "../payments/refund-sql.ts";
import { stockMark } from "../stock/stock-sql.ts";

/** A query of what breaks an invariant, a text `problem` a row, at the instant `now`. */
type Breaches = (now: Date) => Sql;

/** The invariants V1 … of docs/failures.md, each a few named queries. */
export const INVARIANTS: Record<`V${number}`, Record<string, Breaches>> = {
  V1: {
    /** What came in is in stock, held, or sold. */
    unitsInStock:
      () => sql`select format('offer %s: %s came in, but %s in stock + %s held + %s sold', o.id, coalesce(a.amount, 0), o.inventory, coalesce(h.held, 0), coalesce(s.sold, 0)) as problem
      from offer o
      left join lateral (select sum(amount)::int as amount from stock_adjustment where offer_id = o.id) a on true
      left join lateral (select sum(quantity)::int as held from stock_hold where offer_id = o.id) h on true
      left join lateral (select sum(i.quantity)::int as sold from order_item i join orders od on od.id = i.order_id
        where i.variant_id = o.variant_id and od.hub_id = o.hub_id and od.status <> 'cancelled') s on true
      where coalesce(a.amount, 0) <> o.inventory + coalesce(h.held, 0) + coalesce(s.sold, 0)`,
    /** Since its weekly stock was refilled, an offer sells no more than that: units of an earlier week are not on sale again. */
    unitsOfTheWeek:
      () => sql`select format('offer %s: %s in stock, but the %s that its week began with, adjustments, holds and sales since leave %s',
        o.id, o.inventory, w.level, w.level + coalesce(a.amount, 0) - coalesce(h.held, 0) - coalesce(s.sold, 0)) as problem
      from offer o
      join lateral (select id, level from stock_adjustment where offer_id = o.id and level is not null order by id desc limit 1) w on true
      left join lateral (select sum(amount)::int as amount from stock_adjustment
        where offer_id = o.id and id > w.id and (stock_mark is null or stock_mark >= w.id)) a on true
      left join lateral (select sum(h.quantity)::int as held from stock_hold h join checkout_attempt c on c.id = h.attempt_id
        where h.offer_id = o.id and ${stockMark(sql`o.id`, sql`c.stock_mark`, sql`c.created_at`)} >= w.id) h on true
      left join lateral (select sum(i.quantity)::int as sold from order_item i join orders od on od.id = i.order_id left join checkout_attempt c on c.id = od.attempt_id
        where i.variant_id = o.variant_id and od.hub_id = o.hub_id and od.status <> 'cancelled'
          and ${stockMark(sql`o.id`, sql`c.stock_mark`, sql`od.created_at`)} >= w.id) s on true
      where o.inventory <> w.level + coalesce(a.amount, 0) - coalesce(h.held, 0) - coalesce(s.sold, 0)`,
  },
  V2: {
    /** An attempt's orders are placed once; one automatic order a customer and delivery. */
    attemptWithoutOrder: () => sql`select format('attempt %s is placed without an order', a.id) as problem
      from checkout_attempt a where a.state = 'placed' and not exists (select 1 from orders o where o.attempt_id = a.id)`,
    orderWithoutAttempt: () => sql`select format('attempt %s has orders though it %s', a.id, a.state) as problem
      from checkout_attempt a where a.state <> 'placed' and exists (select 1 from orders o where o.attempt_id = a.id)`,
    twoAutomaticOrders:
      () => sql`select format('customer %s has %s automatic orders for delivery %s', customer_id, count(*), delivery_id) as problem
      from orders where source = 'auto' and status <> 'cancelled' group by customer_id, delivery_id having count(*) > 1`,
    /** What travels in a box travels in one that comes. */
    boxThatTravelsWith:
      () => sql`select format('order %s is added to order %s, which is %s', a.id, b.id, case when b.status = 'cancelled' then 'cancelled' else 'itself added to another' end) as problem
      from orders a join orders b on b.id = a.add_on_to_id
      where a.status <> 'cancelled' and (b.status = 'cancelled' or b.add_on_to_id is not null)`,
  },
  V3: {
    /** The total is the sum of its parts, and the lines are the items. */
    itemsAreTheLines:
      () => sql`select format('order %s: items %s, its lines %s', o.id, o.items_cents, coalesce(l.cents, 0)) as problem
      from orders o left join lateral (select sum(quantity * unit_price_cents)::int as cents from order_item where order_id = o.id) l on true
      where o.status <> 'cancelled' and o.items_cents <> coalesce(l.cents, 0)`,
    discountAndTaxAreTheLines:
      () => sql`select format('order %s: discount %s and tax %s, its lines %s and %s', o.id, o.discount_cents, o.tax_cents, coalesce(l.discount, 0), coalesce(l.tax, 0)) as problem
      from orders o left join lateral (select sum(discount_cents)::int as discount, sum(tax_cents)::int as tax from order_item where order_id = o.id) l on true
      where o.status <> 'cancelled' and (o.discount_cents <> coalesce(l.discount, 0) or o.tax_cents <> coalesce(l.tax, 0))`,
    totalIsBooked:
      () => sql`select format('order %s: total %s, its booking %s', o.id, o.order_total_cents, -coalesce(e.cents, 0)) as problem
      from orders o
      left join lateral (select sum(amount_cents)::int as cents from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
        where t.order_id = o.id and t.kind in ('sale', 'edit') and e.account = 'shopper') e on true
      where o.status <> 'cancelled' and o.order_total_cents <> -coalesce(e.cents, 0)`,
    transactionSumsToZero: () =>
      sql`select format('ledger transaction %s sums to %s', transaction_id, sum(amount_cents)) as problem from ledger_entry group by transaction_id having sum(amount_cents) <> 0`,
    paymentCoversItsOrders:
      () => sql`select format('payment %s (%s) is over %s, but its orders %s come to %s', id, state, paid, orders, due) as problem
      from (
        select p.id, p.state, coalesce(r.lowered, 0) as lowered,
          case when p.state = 'captured' then p.captured_cents - coalesce(r.lowered, 0) else p.amount_cents end as paid,
          string_agg(o.id::text, ', ') filter (where o.status <> 'cancelled') as orders,
          sum(o.order_total_cents - o.credit_cents) filter (where o.status <> 'cancelled') as due,
          bool_or(o.edited_at is not null or o.status = 'cancelled') as is_lowered
        from payment p join orders o on o.payment_id = p.id
        left join lateral (select sum(amount_cents)::int as lowered from refund r where r.payment_id = p.id and not ${isGoodwill(sql`r`)} and r.state <> 'failed'
          and destination = 'card') r on true
        where p.state in ('authorized', 'captured')
        group by p.id, r.lowered) as covered
      -- an edit lowers what is due, never the hold
      where orders is not null and (paid < due or (paid > due and state = 'authorized' and not is_lowered))`,
    refundedIsTheRefunds:
      () => sql`select format('payment %s says %s refunded, its refunds %s', p.id, p.refunded_cents, coalesce(r.cents, 0)) as problem
      from payment p left join lateral (select sum(amount_cents)::int as cents from refund where payment_id = p.id and destination = 'card' and state <> 'failed') r on true
      where p.refunded_cents <> coalesce(r.cents, 0)`,
    /** What shoppers owe is exactly what their orders are not yet charged for. */
    owedIsNotYetCharged:
      () => sql`select format('customer %s owes %s by the ledger, %s by their orders', c.id, -coalesce(l.cents, 0), coalesce(o.cents, 0)) as problem
      from customer c
      left join lateral (select sum(amount_cents)::int as cents from ledger_entry where account = 'shopper' and customer_id = c.id) l on true
      left join lateral (select sum(o.order_total_cents - o.credit_cents)::int as cents from orders o left join payment p on p.id = o.payment_id
        where o.customer_id = c.id and o.status <> 'cancelled' and o.written_off_at is null and coalesce(p.state, '') <> 'captured') o on true
      where -coalesce(l.cents, 0) <> coalesce(o.cents, 0)`,
  },
  V4: {
    /** A charge that pays for nothing is voided, and a refund arrives. */
    chargeForNothing: (
      now,
    ) => sql`select format('payment %s (%s, %s) pays for nothing since %s', p.id, p.state, p.amount_cents, a.finished_at) as problem
      from payment p join checkout_attempt a on a.payment_id = p.id
      where a.state = 'failed' and p.state in ('created', 'challenge', 'authorized') and a.finished_at < ${now}::timestamptz - interval '15 minutes'`,
    chargeVoidedUnseen: (
      now,
    ) => sql`select format('payment %s (%s) was voided unseen, and is not looked up since %s', id, amount_cents, look_again_at) as problem
      from payment where look_again_at < ${now}::timestamptz - interval '15 minutes'`,
    chargeOfCancelledOrders: (
      now,
    ) => sql`select format('payment %s (%s) covers cancelled orders alone', p.id, p.amount_cents) as problem
      from payment p where p.state = 'authorized' and p.purpose is null
        and exists (select 1 from orders o where o.payment_id = p.id and o.cancelled_at < ${now}::timestamptz - interval '15 minutes')
        and not exists (select 1 from orders o where o.payment_id = p.id and o.status <> 'cancelled')`,
    openPurchase: (
      now,
    ) => sql`select format('purchase %s (%s) is %s since %s', id, amount_cents, state, created_at) as problem
      from payment where purpose is not null and state in ('created', 'challenge', 'authorized') and created_at < ${now}::timestamptz - interval '15 minutes'`,
    waitingRefund: (now) => sql`select format('refund %s of %s waits since %s', id, amount_cents, created_at) as problem
      from refund where state = 'created' and created_at < ${now}::timestamptz - interval '15 minutes'`,
    testLedgerAgrees:
      () => sql`select format('payment %s is %s, the test ledger says %s (%s taken, %s given back)', p.id, p.state, t.state, t.captured_cents, t.refunded_cents) as problem
      from payment p join test_charge t on t.idempotency_key = p.charge_key::text
      where p.provider = 'test' and ((p.state = 'captured' and (t.state <> 'captured' or t.captured_cents <> p.captured_cents))
        or (p.state = 'authorized' and t.state not in ('authorized', 'captured')) or (p.state in ('voided', 'failed') and t.state in ('authorized', 'captured')))`,
  },
  V5: {
    /** Store credit equals the sum of the ledger. */
    creditIsTheLedger:
      () => sql`select format('customer %s has %s of credit, the ledger says %s', c.id, c.credit_cents, coalesce(l.cents, 0)) as problem
      from customer c
      left join lateral (select sum(amount_cents)::int as cents from ledger_entry where account = 'store_credit' and customer_id = c.id) l on true
      where c.credit_cents <> coalesce(l.cents, 0)`,
  },
  V6: {
    /** A code is used as often as its counter shows, within its limit, once by each where so set. */
    usesOfACode:
      () => sql`select format('code %s says %s uses and has %s', d.code, d.uses, count(u.id)) as problem from discount_code d left join discount_use u on u.discount_code_id = d.id
      group by d.id having d.uses <> count(u.id) or count(u.id) > d.use_limit`,
    codeUsedOnceEach:
      () => sql`select format('code %s was used %s times by customer %s', discount_code_id, count(*), customer_id) as problem from discount_use where once
      group by discount_code_id, customer_id having count(*) > 1`,
  },
  V7: {
    /** The friend's discount is taken by an order of the friend; credited pairs are different people (findSharedReferrals, below). */
    friendsDiscountTaken:
      () => sql`select format('referral of %s was taken by order %s of %s', r.friend_id, o.id, o.customer_id) as problem from referral r join orders o on o.id = r.order_id
      where o.customer_id <> r.friend_id or r.refused is not null`,
  },
  V8: {
    /** The clock never orders at or after a cutoff, and leaves nothing open behind one. */
    automaticOrderInTime:
      () => sql`select format('automatic order %s was made at %s, its cutoff was %s', o.id, o.created_at, d.cutoff_at) as problem
      from orders o join delivery d on d.id = o.delivery_id where o.source = 'auto' and o.created_at >= d.cutoff_at`,
    autoCheckoutEnds: (
      now,
    ) => sql`select format('auto-checkout of delivery %s is open since %s', r.delivery_id, d.cutoff_at) as problem
      from delivery_run r join delivery d on d.id = r.delivery_id
      where r.step = 'auto_checkout' and r.state = 'running' and d.cutoff_at < ${now}::timestamptz - interval '60 minutes'`,
    /** A day is closed within the hour. A market that was away, or is just restored, has not passed it yet: a request was served since, or its clock has run; what was closed late is named for a day. */
    dayClosedInTime: (
      now,
    ) => sql`select format('cutoff of delivery %s was at %s, and %s', d.id, d.cutoff_at, case when r.done_at is null then 'is not over' else format('was over at %s', r.done_at) end) as problem
      from delivery d cross join lateral (select d.cutoff_at + interval '60 minutes' as by) due
      left join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff'
      where due.by < ${now} and (
        r.state = 'running'
        or (r.state is null and exists (select 1 from orders o where o.delivery_id = d.id and o.status in ('open', 'future'))
          and (exists (select 1 from session s where s.last_seen_at > due.by) or exists (select 1 from delivery_run x where x.started_at > due.by)))
        or (r.done_at > due.by and r.done_at > ${now}::timestamptz - interval '24 hours' and r.done_at <= ${now}
          and (r.started_at <= due.by or exists (select 1 from session s where s.created_at > due.by and s.created_at < r.started_at))))`,
    nothingOpenBehindCutoff:
      () => sql`select format('order %s is %s, though the cutoff of its day is over since %s', o.id, o.status, r.done_at) as problem
      from orders o join delivery_run r on r.delivery_id = o.delivery_id and r.step = 'cutoff'
      where o.status in ('open', 'future') and r.done_at is not null`,
    /** For eight weeks, days without orders are days that the market delivers on. */
    dayOfDelivery: (
      now,
    ) => sql`select format('delivery %s is on %s, market %s delivers on %s', d.id, to_char(d.day, 'FMDay, YYYY-MM-DD'), h.id, h.delivery_day) as problem
      from delivery d join hub h on h.id = d.hub_id
      where d.cutoff_at > ${now} and d.cutoff_at < ${now}::timestamptz + interval '8 weeks'
        and (to_char(d.day, 'FMDay') <> h.delivery_day or exists (select 1 from hub_closure c where c.hub_id = h.id and c.day = d.day))
        and not exists (select 1 from orders o where o.delivery_id = d.id) and not exists (select 1 from checkout_attempt a where a.delivery_id = d.id)`,
    /** A closed date has no orders to deliver. */
    closedDateHasNoOrders:
      () => sql`select format('%s is closed at %s, but has %s to deliver. Cancel them with ./market days close %s %s --cancel, move them with --move-to DATE, or take the date out of the hub''s closures',
        to_char(d.day, 'YYYY-MM-DD'), h.slug, case when o.count = 1 then '1 order' else o.count || ' orders' end, h.slug, to_char(d.day, 'YYYY-MM-DD')) as problem
      from hub_closure c join delivery d on d.hub_id = c.hub_id and d.day = c.day join hub h on h.id = c.hub_id
      cross join lateral (select count(*) from orders x where x.delivery_id = d.id and x.status in ('future', 'open', 'pending')) o
      where o.count > 0`,
    nothingOpenInFrozenDay:
      () => sql`select format('order %s is %s, though its day %s is frozen', o.id, o.status, o.delivery_id) as problem
      from orders o where o.status in ('open', 'future') and exists (select 1 from snapshot s where s.delivery_id = o.delivery_id and s.is_complete)`,
    orderInItsSnapshot:
      () => sql`select format('order %s of day %s is in no snapshot of it', o.id, o.delivery_id) as problem
      from orders o where o.status in ('pending', 'closed') and exists (select 1 from snapshot s where s.delivery_id = o.delivery_id)
        and exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0)
        and not exists (select 1 from snapshot_line l join snapshot s on s.id = l.snapshot_id where l.order_id = o.id and s.delivery_id = o.delivery_id)`,
  },
  V9: {
    /** Every order that was placed has its confirmation, and no mail is given up. */
    confirmationIsMailed: (now) => sql`select format('order %s has no confirmation', o.id) as problem
      from orders o join customer c on c.id = o.customer_id
      where o.attempt_id is not null and c.email is not null and o.created_at > ${now}::timestamptz - interval '60 days'
        and not exists (select 1 from mail m where m.key = 'order-confirmation:' || o.id)`,
    mailIsNotGivenUp: (
      now,
    ) => sql`select format('mail %s waits since %s: %s', key, coalesce(next_at, created_at), last_error) as problem
      from mail where sent_at is null and attempts > 0 and coalesce(next_at, created_at) < ${now}::timestamptz - interval '24 hours'`,
  },
  V10: {
    /** No session of a deleted account, or from before a password was changed. */
    deletedHasNoSession: () => sql`select format('session %s of deleted customer %s lives', s.id, c.id) as problem
      from session s join customer c on c.id = s.customer_id where c.deleted_at is not null and s.ended_at is null`,
    /** A changed password ended every session but the one it was changed in. */
    passwordEndedSessions:
      () => sql`select format('customer %s has %s sessions from before the password of %s', c.id, count(*), c.password_changed_at) as problem
      from session s join customer c on c.id = s.customer_id where s.ended_at is null and s.created_at < c.password_changed_at
      group by c.id having count(*) > 1`,
  },
  V11: {
    /** No card number, session or password reaches a table. */
    attemptHasNoCard: () => sql`select format('checkout %s keeps something like a card number', id) as problem
      from checkout_attempt where choice::text ~ '"(number|cvc|card|confirmationToken)"' or choice::text ~ '[^0-9.@][3-6][0-9]{14,15}[^0-9.@]'`,
    paymentHasNoCard: () => sql`select format('payment %s keeps something like a card number', id) as problem
      from payment where purpose::text ~ '"(number|cvc|card|token)"' or coalesce(provider_ref, '') ~ '^[0-9]{12,19}$'`,
    answerHasNoSecret: () => sql`select format('the answer to key %s keeps something secret', key) as problem
      from idempotency_key where response::text ~ '"(number|cvc|password)"' or response::text ~ 'eyJ[A-Za-z0-9_-]{10,}[.]'`,
    mailHasNoSecret: () =>
      sql`select format('mail %s was sent and keeps its secret', key) as problem from mail where is_secret and sent_at is not null and data <> '{}'`,
  },
  V12: {
    /** Nothing is left lying. */
    holdEnds: (now) =>
      sql`select format('attempt %s holds stock since %s', h.attempt_id, h.expires_at) as problem from stock_hold h where h.expires_at < ${now}::timestamptz - interval '60 seconds'`,
    holdOfOpenAttempt: () =>
      sql`select format('hold of attempt %s, which is %s', a.id, a.state) as problem from stock_hold h join checkout_attempt a on a.id = h.attempt_id where a.state in ('placed', 'failed')`,
    keyEnds: (now) =>
      sql`select format('key %s of %s is running since %s', key, actor, created_at) as problem from idempotency_key where state = 'running' and created_at < ${now}::timestamptz - interval '5 minutes'`,
    /** Customers of an auto-checkout who are not done and have no job that was due or expires later than two minutes ago. On a closed date nothing is ordered, and the cutoff ends them. */
    autoCheckoutIsWorkedOn: (
      now,
    ) => sql`select format('auto-checkout of customer %s for delivery %s is not worked on', r.customer_id, r.delivery_id) as problem from auto_checkout_result r
      where r.done_at is null and not exists (select 1 from delivery d where d.id = r.delivery_id and d.cutoff_at > ${now}::timestamptz and ${isClosedDate(sql`d`)})
        and not exists (
        select ${liveJob("auto-checkout", sql`r.delivery_id || ':' || r.customer_id`)}
          and case when j.state = 'active' then j.started_on + j.expire_seconds * interval '1 second' else j.start_after end
            >= ${now}::timestamptz - interval '2 minutes')`,
    chargeIsTakenOver: (
      now,
    ) => sql`select format('the charge of order %s expired and is not taken over since %s', j.data->>'orderId', j.started_on + j.expire_seconds * interval '1 second') as problem
      from pgboss.job j where j.name = 'charge' and j.state = 'active'
        and j.started_on + j.expire_seconds * interval '1 second' < ${now}::timestamptz - interval '2 minutes'`,
  },
  V13: {
    /** A live order is paid for: its payment is authorized or captured (offline ones are authorized at once), or absent because nothing was due at placing, an earlier box's capture used it up, or the bank dropped the hold; then the cutoff charges the saved card. */
    orderHasItsPayment:
      () => sql`select format('order %s (%s) has %s due, but its payment %s is %s', o.id, o.status, o.order_total_cents - o.credit_cents, p.id, p.state) as problem
      from orders o join payment p on p.id = o.payment_id
      where o.status in ('future', 'open', 'pending') and o.order_total_cents > o.credit_cents and p.state not in ('authorized', 'captured')
        -- it is being charged, or set aside: V14
        and not ${isCharging} and o.charge_failed_at is null`,
    orderHasAPayment:
      () => sql`select format('order %s (%s) has %s due and no payment, though payment %s of its checkout is %s', o.id, o.status,
        o.order_total_cents - o.credit_cents, p.id, p.state) as problem
      from orders o join checkout_attempt a on a.id = o.attempt_id join payment p on p.id = a.payment_id
      where o.status in ('future', 'open', 'pending') and o.order_total_cents > o.credit_cents and o.payment_id is null
        and p.state not in ('captured', 'voided')`,
  },
  V14: {
    /** A closed order is captured, paid at the door, written off, or set aside with a reason. */
    closedOrderIsPaid:
      () => sql`select format('order %s is %s, its payment %s, and it is not set aside', o.id, o.status, coalesce(p.state, 'is missing')) as problem
      from orders o left join payment p on p.id = o.payment_id left join delivery_run r on r.delivery_id = o.delivery_id and r.step = 'cutoff'
      where (o.status = 'closed' or (o.status = 'pending' and r.done_at is not null)) and o.order_total_cents > o.credit_cents
        and o.written_off_at is null and o.charge_failed_at is null and coalesce(p.state, '') <> 'captured' and coalesce(p.provider, '') <> 'offline'`,
    setAsideIsUnpaid:
      () => sql`select format('order %s is %s and set aside all the same', o.id, case when o.written_off_at is not null then 'written off' else coalesce(p.state, o.status) end) as problem
      from orders o left join payment p on p.id = o.payment_id
      where o.charge_failed_at is not null and (p.state = 'captured' or o.written_off_at is not null or o.status not in ('pending', 'closed'))`,
  },
  V15: {
    /** A vendor's account is the sum of the vendor's lines, each less its commission (saleEntries), plus what is booked beside the sale: compensations, and payouts. */
    vendorHasItsLines:
      () => sql`select format('order %s: vendor %s has %s by the ledger, %s by the lines', coalesce(b.order_id, l.order_id), coalesce(b.vendor_id, l.vendor_id),
        coalesce(b.cents, 0), coalesce(l.cents, 0)) as problem
      from (
        select i.order_id, i.vendor_id, sum(i.quantity * i.unit_price_cents - (i.quantity * i.unit_price_cents * i.commission_ppm::bigint + 500000) / 1000000)::int as cents
        from order_item i join orders o on o.id = i.order_id where o.status <> 'cancelled' group by i.order_id, i.vendor_id) l
      full join (
        select t.order_id, e.vendor_id, sum(e.amount_cents)::int as cents from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
        where e.account = 'vendor' and t.kind in ('sale', 'edit') group by t.order_id, e.vendor_id) b
      on b.order_id = l.order_id and b.vendor_id = l.vendor_id
      where coalesce(b.cents, 0) <> coalesce(l.cents, 0)`,
    /** A canceled order costs no vendor anything: goodwill that a vendor bore of it is returned. */
    cancelledCostsNoVendor:
      () => sql`select format('order %s is cancelled, and vendor %s bears %s of it', b.order_id, b.vendor_id, -b.cents) as problem
      from (
        select t.order_id, e.vendor_id, sum(e.amount_cents)::int as cents
        from orders o join ledger_transaction t on t.order_id = o.id join ledger_entry e on e.transaction_id = t.id
        where o.status = 'cancelled' and e.account = 'vendor' and t.kind in ('sale', 'edit', 'compensation') group by t.order_id, e.vendor_id) b
      where b.cents < 0 and exists (select 1 from refund r where r.order_id = b.order_id and r.bearer_id = b.vendor_id)`,
    onlySalesPayVendors:
      () => sql`select format('ledger transaction %s (%s) gives vendor %s %s', t.id, t.kind, e.vendor_id, sum(e.amount_cents)) as problem
      from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
      where e.account in ('vendor', 'payouts') and t.kind not in ('sale', 'edit', 'compensation')
      group by t.id, t.kind, e.vendor_id having t.kind <> 'payout' or sum(e.amount_cents) <> 0`,
  },
};
