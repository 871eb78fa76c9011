import { randomUUID } from "node:crypto";

import { execute, type Sql, sql } from "@marketday/db";
import { addMs, Hour, Minute, Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { audit } from "./violation-sql.ts";

// A market in which everything holds: an open box with an add-on that used a code, and a charged order of a closed day.
const market = await buildTestApp();
const { db } = market;
const [open, closed] = [await createHub(db), await createHub(db, { deliveryDay: "Wednesday" })];
const code = await db.discount_code.create({ data: { code: "FIVE", amount_cents: 500 } });
const buyer = await signIn(market, { hubId: open.id });
const neighbor = await signIn(market, { hubId: closed.id });
const boughtBy = async (who: typeof buyer, hubId: number, discountCode: string | null = null) => {
  const jar = await createProduct(db, hubId, { priceCents: 1000, inventory: 10 });
  await who.put("/cart", [jar.line(2)]);
  const choice = { ...CHOICE, discountCode };
  const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
  const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const { id, attempt_id, payment } = await db.order.findUniqueOrThrow({
    where: { id: placed.body.orderId },
    include: { payment: true },
  });
  return { id, attemptId: attempt_id!, paymentId: payment!.id, chargeKey: payment!.charge_key };
};
const box = await boughtBy(buyer, open.id);
const boxOffer = await db.offer.findFirstOrThrow({ where: { hub_id: open.id } });
const addOn = await boughtBy(buyer, open.id, "FIVE");
const paid = await boughtBy(neighbor, closed.id);
const [openDay, closedDay] = [open.deliveries[0]!.id, closed.deliveries[0]!.id];
const CUTOFF = open.deliveries[0]!.cutoff_at;
const NOW = closed.deliveries[0]!.cutoff_at;
market.clock.set(NOW);
await runWeek({ now: NOW, actor: { type: "system", job: "test" }, deps: market.deps });

const ago = (ms: number) => addMs(NOW, -ms);
/** Long ago and one millisecond longer: the last instant without a violation and the first one with it. */
const around = (ms: number) => [ago(ms), ago(ms + 1)] as const;

/** The violations after these statements, which are rolled back. Triggers and foreign keys are off meanwhile. */
const problemsAfter = (statements: readonly Sql[], now = NOW): Promise<string[]> =>
  withDryRun(db, true, async (tx) => {
    await execute(tx, sql`set local session_replication_role = replica`);
    for (const statement of statements) await execute(tx, statement);
    return (await audit(tx, now)).map(({ invariant, problem }) => `${invariant}: ${problem}`);
  });

const OTHER = { order: 100_000_001, payment: randomUUID(), attempt: randomUUID() };
/** A copy of the box without items, amounts and payment, with these columns. */
const emptyOrder = (columns: object): Sql => {
  const nothing = Object.fromEntries(
    "items tip tax card_fee delivery_fee discount order_total credit".split(" ").map((name) => [`${name}_cents`, 0]),
  );
  const row = { ...nothing, id: OTHER.order, attempt_id: null, payment_id: null, ...columns };
  return sql`insert into orders select (jsonb_populate_record(o, ${JSON.stringify(row)}::jsonb)).* from orders o where o.id = ${box.id}::int`;
};
const otherPayment = (state: string, { at = NOW, purpose = null }: { at?: Date; purpose?: string | null } = {}): Sql =>
  sql`insert into payment (id, charge_key, customer_id, provider, state, amount_cents, purpose, created_at)
      values (${OTHER.payment}::uuid, ${OTHER.payment}::uuid, ${buyer.customer.id}::int, 'test', ${state}, 500, ${purpose}::jsonb, ${at})`;
/** Moves five cents from a shopper to an account. */
const moved = (customerId: number, orderId: number | null, kind: string, account: string): Sql =>
  sql`with t as (insert into ledger_transaction (kind, order_id, created_at) values (${kind}, ${orderId}::int, ${NOW}) returning id)
      insert into ledger_entry (transaction_id, account, customer_id, amount_cents)
      select id, 'shopper', ${customerId}::int, -5 from t union all select id, ${account}, null, 5 from t`;
const job = (name: string, key: string, data: object, startedOn: Date): Sql =>
  sql`insert into pgboss.job (name, data, singleton_key, policy, state, started_on, expire_seconds)
      values (${name}, ${JSON.stringify(data)}::jsonb, ${key}, 'exclusive', 'active', ${startedOn}, 110)`;
const like = (pattern: string) => expect.stringMatching(pattern);

// The box: 20.00, tip 2.00, tax 1.40, card 0.90, delivery 8.95. The add-on: 5.00 less, tax 1.05, and no delivery.
const [BOX, ADD_ON, PAID] = [3325, 1895, 3325];
const BUYER_OWES = BOX + ADD_ON;

test("doctor: a market with open, added and charged orders has no violation", async () => {
  const orders = await db.order.findMany({ where: { id: { in: [box.id, addOn.id, paid.id] } } });
  expect(new Map(orders.map(({ id, order_total_cents }) => [id, order_total_cents]))).toEqual(
    new Map([
      [box.id, BOX],
      [addOn.id, ADD_ON],
      [paid.id, PAID],
    ]),
  );
  expect(await problemsAfter([])).toEqual([]);
});

describe(
  "doctor reports what does not add up",
  { tags: ["fail:V2", "fail:V3", "fail:V4", "fail:V5", "fail:V6"] },
  () => {
    test.each<[what: string, statements: Sql[], problems: unknown[]]>([
      [
        "a placed attempt without an order",
        [sql`update orders set attempt_id = null where id = ${addOn.id}::int`],
        [`V2: attempt ${addOn.attemptId} is placed without an order`],
      ],
      [
        "a failed attempt with an order",
        [sql`update checkout_attempt set state = 'failed', finished_at = ${NOW} where id = ${addOn.attemptId}::uuid`],
        [`V2: attempt ${addOn.attemptId} has orders though it failed`],
      ],
      [
        "two automatic orders of a customer for one delivery",
        [
          sql`drop index orders_auto_key`,
          sql`update orders set source = 'auto' where id in (${box.id}::int, ${addOn.id}::int)`,
        ],
        [`V2: customer ${buyer.customer.id} has 2 automatic orders for delivery ${openDay}`],
      ],
      [
        "an add-on of an order that is added to another one",
        [sql`update orders set add_on_to_id = ${paid.id}::int where id = ${box.id}::int`],
        [`V2: order ${addOn.id} is added to order ${box.id}, which is itself added to another`],
      ],
      [
        "an add-on of a canceled order",
        [
          emptyOrder({ status: "cancelled", cancelled_at: NOW }),
          sql`update orders set add_on_to_id = ${OTHER.order}::int where id = ${addOn.id}::int`,
        ],
        [`V2: order ${addOn.id} is added to order ${OTHER.order}, which is cancelled`],
      ],
      [
        "items that do not sum to the order",
        [sql`update order_item set list_price_cents = 1100, unit_price_cents = 1100 where order_id = ${box.id}::int`],
        [
          `V3: order ${box.id}: items 2000, its lines 2200`,
          like(`^V15: order ${box.id}: vendor \\d+ has 1700 by the ledger, 1870 by the lines$`),
        ],
      ],
      [
        "a discount that is not on the lines",
        [sql`update order_item set discount_cents = 501 where order_id = ${addOn.id}::int`],
        [`V3: order ${addOn.id}: discount 500 and tax 105, its lines 501 and 105`],
      ],
      [
        "a tax that is not on the lines",
        [sql`update order_item set tax_cents = 141 where order_id = ${box.id}::int`],
        [`V3: order ${box.id}: discount 0 and tax 140, its lines 0 and 141`],
      ],
      [
        "a total that is not booked",
        [moved(buyer.customer.id, box.id, "edit", "tips")],
        [
          `V3: order ${box.id}: total ${BOX}, its booking ${BOX + 5}`,
          `V3: customer ${buyer.customer.id} owes ${BUYER_OWES + 5} by the ledger, ${BUYER_OWES} by their orders`,
        ],
      ],
      [
        "a booking that does not sum to zero",
        [
          sql`insert into ledger_entry (transaction_id, account, amount_cents) select min(id), 'tips', 5 from ledger_transaction`,
        ],
        [like(String.raw`^V3: ledger transaction \d+ sums to 5$`)],
      ],
      [
        "an authorization below its order",
        [sql`update payment set amount_cents = amount_cents - 1 where id = ${box.paymentId}::uuid`],
        [`V3: payment ${box.paymentId} (authorized) is over ${BOX - 1}, but its orders ${box.id} come to ${BOX}`],
      ],
      [
        "an authorization above an order that was never lowered",
        [sql`update payment set amount_cents = amount_cents + 1 where id = ${box.paymentId}::uuid`],
        [`V3: payment ${box.paymentId} (authorized) is over ${BOX + 1}, but its orders ${box.id} come to ${BOX}`],
      ],
      [
        "nothing: an authorization above an order that was lowered",
        [
          sql`update payment set amount_cents = amount_cents + 1 where id = ${box.paymentId}::uuid`,
          sql`update orders set edited_at = ${NOW} where id = ${box.id}::int`,
        ],
        [],
      ],
      [
        "a capture below its order",
        [
          sql`update payment set captured_cents = captured_cents - 1 where id = ${paid.paymentId}::uuid`,
          sql`update test_charge set captured_cents = captured_cents - 1 where idempotency_key = ${paid.chargeKey}`,
        ],
        [`V3: payment ${paid.paymentId} (captured) is over ${PAID - 1}, but its orders ${paid.id} come to ${PAID}`],
      ],
      [
        "a refund that was never recorded",
        [sql`update payment set refunded_cents = 1 where id = ${paid.paymentId}::uuid`],
        [`V3: payment ${paid.paymentId} says 1 refunded, its refunds 0`],
      ],
      [
        "a debt without an order",
        [moved(neighbor.customer.id, null, "credit", "promotions")],
        [`V3: customer ${neighbor.customer.id} owes 5 by the ledger, 0 by their orders`],
      ],
      [
        "a captured payment that the provider only authorized",
        [sql`update test_charge set state = 'authorized' where idempotency_key = ${paid.chargeKey}`],
        [`V4: payment ${paid.paymentId} is captured, the test ledger says authorized (${PAID} taken, 0 given back)`],
      ],
      [
        "a captured payment of which the provider captured another amount",
        [sql`update test_charge set captured_cents = captured_cents - 1 where idempotency_key = ${paid.chargeKey}`],
        [`V4: payment ${paid.paymentId} is captured, the test ledger says captured (${PAID - 1} taken, 0 given back)`],
      ],
      [
        "an authorized payment that the provider voided",
        [sql`update test_charge set state = 'voided' where idempotency_key = ${box.chargeKey}`],
        [`V4: payment ${box.paymentId} is authorized, the test ledger says voided (0 taken, 0 given back)`],
      ],
      [
        "a voided payment that the provider still holds",
        [
          otherPayment("voided"),
          sql`update test_charge set idempotency_key = ${OTHER.payment} where idempotency_key = ${box.chargeKey}`,
        ],
        [`V4: payment ${OTHER.payment} is voided, the test ledger says authorized (0 taken, 0 given back)`],
      ],
      [
        "store credit that is not in the ledger",
        [sql`update customer set credit_cents = 1 where id = ${buyer.customer.id}::int`],
        [`V5: customer ${buyer.customer.id} has 1 of credit, the ledger says 0`],
      ],
      [
        "uses of a code that were not recorded",
        [sql`update discount_code set uses = 2 where id = ${code.id}::int`],
        ["V6: code FIVE says 2 uses and has 1"],
      ],
      [
        "a code that a customer used twice",
        [
          sql`drop index discount_use_once_key`,
          sql`insert into discount_use (discount_code_id, customer_id, order_id, once) values (${code.id}::int, ${buyer.customer.id}::int, ${box.id}::int, true)`,
          sql`update discount_code set uses = 2 where id = ${code.id}::int`,
        ],
        [`V6: code ${code.id} was used 2 times by customer ${buyer.customer.id}`],
      ],
      [
        "a friend's discount on an order of someone else",
        [
          sql`insert into referral (friend_id, referrer_id, order_id) values (${neighbor.customer.id}::int, ${buyer.customer.id}::int, ${box.id}::int)`,
        ],
        [`V7: referral of ${neighbor.customer.id} was taken by order ${box.id} of ${buyer.customer.id}`],
      ],
      [
        "a friend's discount that was refused",
        [
          sql`insert into referral (friend_id, referrer_id, order_id, refused) values (${buyer.customer.id}::int, ${neighbor.customer.id}::int, ${box.id}::int, 'address')`,
        ],
        [`V7: referral of ${buyer.customer.id} was taken by order ${box.id} of ${buyer.customer.id}`],
      ],
    ])("%s", async (_what, statements, problems) => {
      expect(await problemsAfter(statements)).toEqual(problems);
    });
  },
);

describe("doctor reports a vendor's account that differs from the vendor's lines", () => {
  const vendorEntry = sql`account = 'vendor' and transaction_id = (select id from ledger_transaction where order_id = ${paid.id}::int and kind = 'sale')`;
  test("the share of one vendor booked for another one", async () => {
    const [{ vendor_id: own }, { vendor_id: wrong }] = [
      await db.order_item.findFirstOrThrow({ where: { order_id: paid.id } }),
      await db.order_item.findFirstOrThrow({ where: { order_id: box.id } }),
    ];
    expect(wrong).not.toBe(own);
    // 20.00 less 15 percent.
    const problems = await problemsAfter([sql`update ledger_entry set vendor_id = ${wrong}::int where ${vendorEntry}`]);
    expect(problems.toSorted()).toEqual(
      [
        `V15: order ${paid.id}: vendor ${own} has 0 by the ledger, 1700 by the lines`,
        `V15: order ${paid.id}: vendor ${wrong} has 1700 by the ledger, 0 by the lines`,
      ].toSorted(),
    );
  });

  test("a payout that leaves to another vendor's bank, or is booked as something else", async () => {
    const [{ vendor_id: paidOut }, { vendor_id: bank }] = [
      await db.order_item.findFirstOrThrow({ where: { order_id: paid.id } }),
      await db.order_item.findFirstOrThrow({ where: { order_id: box.id } }),
    ];
    const payout = (to: number, kind = "payout") =>
      sql`with t as (insert into ledger_transaction (kind, created_at) values (${kind}, ${NOW}) returning id)
          insert into ledger_entry (transaction_id, account, vendor_id, amount_cents)
          select id, 'vendor', ${paidOut}::int, -1600 from t union all select id, 'payouts', ${to}::int, 1600 from t`;
    expect(await problemsAfter([payout(paidOut)])).toEqual([]);
    const problemsOf = async (statement: Sql) =>
      (await problemsAfter([statement]))
        .map((problem) => problem.replace(/transaction \d+/, "transaction N"))
        .toSorted((a, b) => a.localeCompare(b));
    expect(await problemsOf(payout(bank))).toEqual(
      [
        `V15: ledger transaction N (payout) gives vendor ${paidOut} -1600`,
        `V15: ledger transaction N (payout) gives vendor ${bank} 1600`,
      ].toSorted((a, b) => a.localeCompare(b)),
    );
    // Also to the right bank, but not as a payout.
    expect(await problemsOf(payout(paidOut, "write_off"))).toEqual([
      `V15: ledger transaction N (write_off) gives vendor ${paidOut} 0`,
    ]);
  });
});

describe("doctor reports what is missing or left", { tags: ["fail:V8", "fail:V9", "fail:V11"] }, () => {
  test.each<[what: string, statements: Sql[], problems: unknown[]]>([
    [
      "an order of a closed day that is on no sheet",
      [sql`delete from snapshot_line where order_id = ${paid.id}::int`],
      [`V8: order ${paid.id} of day ${closedDay} is in no snapshot of it`],
    ],
    [
      "an order without a confirmation",
      [sql`delete from mail where key = ${`order-confirmation:${box.id}`}`],
      [`V9: order ${box.id} has no confirmation`],
    ],
    [
      "a card's code in a checkout",
      [sql`update checkout_attempt set choice = choice || '{"cvc": 123}' where id = ${box.attemptId}::uuid`],
      [`V11: checkout ${box.attemptId} keeps something like a card number`],
    ],
    [
      "a card number in a checkout",
      [
        sql`update checkout_attempt set choice = choice || '{"deliveryNotes": "4242424242424242"}' where id = ${box.attemptId}::uuid`,
      ],
      [`V11: checkout ${box.attemptId} keeps something like a card number`],
    ],
    [
      "a card in a purchase",
      [otherPayment("captured", { purpose: '{"card": {}}' })],
      [`V11: payment ${OTHER.payment} keeps something like a card number`],
    ],
    [
      "a card number as a provider's reference",
      [sql`update payment set provider_ref = '4242424242424242' where id = ${box.paymentId}::uuid`],
      [`V11: payment ${box.paymentId} keeps something like a card number`],
    ],
    [
      "a hold of a placed attempt",
      [
        sql`insert into stock_hold (attempt_id, offer_id, quantity, expires_at)
            select ${box.attemptId}::uuid, min(o.id), 1, ${NOW} from offer o join order_item i on i.variant_id = o.variant_id where i.order_id = ${box.id}::int`,
        sql`update offer set inventory = inventory - 1 where id = (select offer_id from stock_hold)`,
      ],
      [`V12: hold of attempt ${box.attemptId}, which is placed`],
    ],
    [
      "a unit of an earlier week that is on sale again",
      [
        sql`insert into stock_adjustment (offer_id, amount, reason, level, stock_mark, created_at)
            select o.id, amount, 'weekly stock', level, mark, ${NOW} from offer o join order_item i on i.variant_id = o.variant_id,
              (values (0, 8, null), (1, null, 0)) as a (amount, level, mark) where i.order_id = ${box.id}::int`,
        sql`update offer o set inventory = 9 from order_item i where i.variant_id = o.variant_id and i.order_id = ${box.id}::int`,
      ],
      [
        `V1: offer ${boxOffer.id}: 9 in stock, but the 8 that its week began with, adjustments, holds and sales since leave 8`,
      ],
    ],
    [
      "a captured order that is set aside",
      [sql`update orders set charge_failed_at = ${NOW} where id = ${paid.id}::int`],
      [`V14: order ${paid.id} is captured and set aside all the same`],
    ],
    [
      "a written-off order that is set aside",
      [emptyOrder({ status: "closed", charge_failed_at: NOW, written_off_at: NOW })],
      [`V14: order ${OTHER.order} is written off and set aside all the same`],
    ],
    [
      "an open order that is set aside",
      [emptyOrder({ charge_failed_at: NOW })],
      [`V14: order ${OTHER.order} is open and set aside all the same`],
    ],
  ])("%s", async (_what, statements, problems) => {
    expect(await problemsAfter(statements)).toEqual(problems);
  });
});

describe(
  "doctor reports only what is older than it may be",
  { tags: ["fail:V4", "fail:V8", "fail:V9", "fail:V12"] },
  () => {
    test.each<[what: string, instants: readonly [Date, Date], statements: (at: Date) => Sql[], problem: string]>([
      [
        "the charge of a failed attempt: 15 minutes",
        around(15 * Minute.ms),
        (at) => [
          otherPayment("authorized"),
          sql`insert into checkout_attempt select (jsonb_populate_record(a, ${JSON.stringify({ id: OTHER.attempt, cart_id: null, payment_id: OTHER.payment, state: "failed", finished_at: at })}::jsonb)).* from checkout_attempt a where a.id = ${box.attemptId}::uuid`,
        ],
        `^V4: payment ${OTHER.payment} \\(authorized, 500\\) pays for nothing since `,
      ],
      [
        "a charge that was voided unseen: 15 minutes after it was to be looked up",
        around(15 * Minute.ms),
        (at) => [
          otherPayment("voided"),
          sql`update payment set look_again_at = ${at} where id = ${OTHER.payment}::uuid`,
        ],
        `^V4: payment ${OTHER.payment} \\(500\\) was voided unseen, and is not looked up since `,
      ],
      [
        "the charge of a canceled order: 15 minutes",
        around(15 * Minute.ms),
        (at) => [
          otherPayment("authorized"),
          emptyOrder({ status: "cancelled", cancelled_at: at, payment_id: OTHER.payment }),
        ],
        `^V4: payment ${OTHER.payment} \\(500\\) covers cancelled orders alone$`,
      ],
      [
        "an unfinished purchase: 15 minutes",
        around(15 * Minute.ms),
        (at) => [otherPayment("created", { at, purpose: '{"kind": "gift-card"}' })],
        `^V4: purchase ${OTHER.payment} \\(500\\) is created since `,
      ],
      [
        "an unfinished refund: 15 minutes",
        around(15 * Minute.ms),
        (at) => [
          sql`insert into refund (id, kind, destination, amount_cents, reason, state, created_at) values (${OTHER.payment}::uuid, 'short', 'credit', 5, '', 'created', ${at})`,
        ],
        `^V4: refund ${OTHER.payment} of 5 waits since `,
      ],
      [
        "an automatic order: placed before its cutoff",
        [addMs(CUTOFF, -1), CUTOFF],
        (at) => [sql`update orders set source = 'auto', created_at = ${at} where id = ${box.id}::int`],
        `^V8: automatic order ${box.id} was made at .*, its cutoff was `,
      ],
      [
        "a mail that fails: a day",
        around(24 * Hour.ms),
        (at) => [
          sql`insert into mail (key, template, to_email, data, attempts, last_error, created_at) values ('late', 'x', 'a@example.com', '{}', 1, 'refused', ${at})`,
        ],
        "^V9: mail late waits since .*: refused$",
      ],
      [
        "a hold of stock: a minute after its end",
        around(60 * Second.ms),
        (at) => [
          sql`insert into stock_hold (attempt_id, offer_id, quantity, expires_at) select ${OTHER.attempt}::uuid, min(id), 1, ${at} from offer`,
          sql`update offer set inventory = inventory - 1 where id = (select offer_id from stock_hold)`,
        ],
        `^V12: attempt ${OTHER.attempt} holds stock since `,
      ],
      [
        "a running request: five minutes",
        around(5 * Minute.ms),
        (at) => [
          sql`insert into idempotency_key (actor, key, request_hash, state, lease_until, created_at) values ('c1', 'slow', '', 'running', ${at}, ${at})`,
        ],
        "^V12: key slow of c1 is running since ",
      ],
      [
        "an auto-checkout whose job expired: two minutes",
        around(2 * Minute.ms + 110 * Second.ms),
        (at) => [
          sql`insert into auto_checkout_result (delivery_id, customer_id) values (${openDay}::int, ${buyer.customer.id}::int)`,
          job("auto-checkout", `${openDay}:${buyer.customer.id}`, {}, at),
        ],
        `^V12: auto-checkout of customer ${buyer.customer.id} for delivery ${openDay} is not worked on$`,
      ],
      [
        "a charge whose job expired: two minutes",
        around(2 * Minute.ms + 110 * Second.ms),
        (at) => [job("charge", "1", { orderId: paid.id }, at)],
        `^V12: the charge of order ${paid.id} expired and is not taken over since `,
      ],
    ])("%s", async (_what, [last, first], statements, problem) => {
      expect(await problemsAfter(statements(last))).toEqual([]);
      expect(await problemsAfter(statements(first))).toEqual([like(problem)]);
    });

    test("an auto-checkout that is still open: an hour after its cutoff", async () => {
      const run = sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at)
      values (${closedDay}::int, 'auto_checkout', 'running', ${NOW}, ${ago(36 * Hour.ms)})`;
      expect(await problemsAfter([run], addMs(NOW, Hour.ms))).toEqual([]);
      expect(await problemsAfter([run], addMs(NOW, Hour.ms + 1))).toEqual([
        like(`^V8: auto-checkout of delivery ${closedDay} is open since `),
      ]);
    });

    test("an auto-checkout without a job", async () => {
      const waiting = sql`insert into auto_checkout_result (delivery_id, customer_id) values (${openDay}::int, ${buyer.customer.id}::int)`;
      expect(await problemsAfter([waiting])).toHaveLength(1);
      const done = sql`update auto_checkout_result set outcome = 'placed', done_at = ${NOW}`;
      expect(await problemsAfter([waiting, done])).toEqual([]);
    });
  },
);
