import { describe, expect, test } from "vitest";

import { type ChargedOrder as Charged, stripeOrders } from "../../../test/stripe-orders.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { asCustomerId } from "../identity/context.ts";
import { findDues } from "../ledger/payout-store.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { resumeRefunds } from "./finish-refund.ts";
import { closeRefund, resendRefund } from "./resolve-refund.ts";

const {
  market,
  second,
  fake,
  db,
  deps,
  operator,
  input,
  chargedOrder,
  deliver,
  happens,
  creditOf,
  refundedOf,
  waitingOf,
  withSlowRefunds,
  expectAgreement,
  mailsTo,
} = await stripeOrders();

describe("a refund that the provider refuses", { tags: ["fail:B18"] }, () => {
  test("refused refund: a balance that is too low: it waits, is requested again as a new request, and goes back once", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("balance_insufficient");
    const given = await refundOrder(operator(), order.id, { ...input, amountCents: 600 });
    expect(given).toMatchObject({ state: "waiting", failure: "balance_insufficient" });
    const [mail] = await mailsTo(order);
    expect(mail).toContain("We will refund $6.00");
    expect(await db.refund.findMany({ where: { order_id: order.id } })).toMatchObject([
      { state: "created", failure: "balance_insufficient" },
    ]);
    fake.refuseRefunds("balance_insufficient");
    market.clock.advance(60_000);
    await resumeRefunds(operator());
    const subject = `refund ${given.refundId}`;
    expect(await db.job_failure.findMany({ where: { subject } })).toMatchObject([
      { reason: expect.stringContaining("balance at the payment provider is too low") },
    ]);
    market.clock.advance(60_000);
    await Promise.all([resumeRefunds(operator()), resumeRefunds({ ...operator(), deps: second.deps })]);
    expect(await db.refund.findMany({ where: { order_id: order.id } })).toMatchObject([
      { state: "done", failure: null },
    ]);
    expect(await db.job_failure.count({ where: { subject } })).toBe(0);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, 600]);
    await expectAgreement();
  });

  test("refund: one that the provider has not sent to the bank yet is pending, and no mail says that it failed", async () => {
    const order = await chargedOrder();
    fake.pendRefunds = true;
    try {
      const given = await refundOrder(operator(), order.id, { ...input, amountCents: 600 });
      expect(given).toMatchObject({ state: "pending", failure: null });
    } finally {
      fake.pendRefunds = false;
    }
    await sendDueMail(deps);
    await happens(() => fake.failRefund([...fake.refunds.keys()].at(-1)!, "expired_or_canceled_card"));
    expect(await waitingOf(order)).toMatchObject([{ failure: "expired_card", amount_cents: 600 }]);
    expect(await mailsTo(order)).toHaveLength(2);
    await expectAgreement();
  });

  test("refund: its answer was lost with the server, its webhook ends it, and nothing is requested again", async () => {
    const order = await chargedOrder();
    const { failpoint } = deps;
    const from = fake.events.length;
    deps.failpoint = async (point) => {
      if (point === "refund:given") throw new Error("killed");
    };
    try {
      await refundOrder(operator(), order.id, { ...input, amountCents: 600 }).catch(() => null);
    } finally {
      deps.failpoint = failpoint;
    }
    const refund = () => db.refund.findFirstOrThrow({ where: { order_id: order.id } });
    expect(await refund()).toMatchObject({ state: "created" });
    await deliver(from);
    expect(await refund()).toMatchObject({ state: "done", done_at: expect.any(Date) });
    const calls = fake.calls.length;
    market.clock.advance(60_000);
    await resumeRefunds(operator());
    expect(fake.calls).toHaveLength(calls);
    await expectAgreement();
  });

  test("refunds of a box with two charges: one mail, however long they take, with what became of both", async () => {
    const order = await chargedOrder(1, 1);
    fake.refuseRefunds("expired_card");
    const done = await withSlowRefunds(() => cancelOrder(operator(), order.id, input));
    expect(done.refunds.map(({ state }) => state)).toEqual(["failed", "done"]);
    const mails = await mailsTo(order);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("has expired or was closed");
    expect(mails[0]).toContain("We refunded");
    expect(await market.audit()).toEqual([]);
  });

  test("refunds of a box with two charges: after a kill their mail waits for the sweep, which ends both", async () => {
    const order = await chargedOrder(1, 1);
    const failpoint = (point: string) =>
      point === "cancel:written" ? Promise.reject(new Error("killed")) : Promise.resolve();
    const killed = { ...operator(), deps: { ...deps, failpoint } };
    await expect(cancelOrder(killed, order.id, input)).rejects.toThrow("killed");
    market.clock.advance(60_000);
    expect(await sendDueMail(deps)).toBe(0);
    fake.refuseRefunds("expired_card");
    await withSlowRefunds(() => resumeRefunds(operator()));
    const mails = await mailsTo(order);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("has expired or was closed");
    expect(mails[0]).toContain("We refunded");
  });

  test.each([
    ["charge_disputed", "charge_disputed", "your bank is reviewing"],
    ["expired_card", "expired_card", "has expired or was closed"],
    ["some_new_code", "refused", "didn't accept it"],
  ])(
    "refused refund: %s is its own outcome, gives no store credit, and one mail says so",
    async (code, failure, words) => {
      const order = await chargedOrder();
      fake.refuseRefunds(code);
      const done = await cancelOrder(operator(), order.id, input);
      expect(done).toMatchObject({ creditCents: 0, refunds: [{ amountCents: order.total, state: "failed", failure }] });
      expect([await creditOf(order), await refundedOf(order)]).toEqual([0, 0]);
      expect(await waitingOf(order)).toMatchObject([{ failure, amount_cents: order.total }]);
      const mails = await mailsTo(order);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain(words);
      expect(mails[0]).not.toMatch(/goes back|We refunded|store credit/);
      await expectAgreement();
    },
  );

  test("refused refund: disputed before the dispute's webhook: the dispute settles it when it comes", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("charge_disputed");
    await cancelOrder(operator(), order.id, input);
    expect(await waitingOf(order)).toHaveLength(1);
    await happens(() => fake.dispute(order.ref));
    expect(await waitingOf(order)).toEqual([]);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total]);
    await expectAgreement();
  });

  /** A captured order of two, one of which was short: its refund failed. */
  async function failedShortage() {
    const order = await chargedOrder(2);
    fake.refuseRefunds("expired_card");
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const { backCents } = await shortOrder(operator(), order.id, missing, { to: "card", reason: "fox" });
    const [failed] = await waitingOf(order);
    expect(failed).toMatchObject({ amount_cents: backCents, failure: "expired_card" });
    return { ...order, failed: failed!, lostCents: backCents };
  }

  test("refused refund: given in the dashboard, it waits no more, is not given again, and a cancellation returns all of the rest", async () => {
    for (const partCents of [0, 300]) {
      const order = await failedShortage();
      if (partCents > 0) {
        await happens(() => fake.refundInDashboard(order.ref, partCents));
        expect(await waitingOf(order)).toMatchObject([{ amount_cents: order.lostCents - partCents, kind: "short" }]);
      }
      let outside = "";
      await happens(() => (outside = fake.refundInDashboard(order.ref, order.lostCents - partCents)));
      expect(await waitingOf(order)).toEqual([]);
      for (const to of ["card", "credit"] as const)
        await expect(
          resendRefund(operator(), order.failed.id, { to, reason: "again", dryRun: false }),
        ).rejects.toMatchObject({ details: { code: "not_waiting" } });
      expect(await refundedOf(order)).toBe(order.lostCents);
      await expectAgreement();

      if (partCents > 0) {
        await happens(() => fake.failRefund(outside));
        expect(await waitingOf(order)).toMatchObject([{ amount_cents: order.lostCents - partCents, kind: "short" }]);
        continue;
      }
      const done = await cancelOrder(operator(), order.id, input);
      expect(done).toMatchObject({ backCents: order.total - order.lostCents, earlierCents: 0 });
      await expectAgreement();
    }
  });

  test("refused refund: given in the dashboard before it failed, it is not given again, and beside goodwill it is", async () => {
    const order = await chargedOrder(2);
    fake.pendRefunds = true;
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const { backCents } = await shortOrder(operator(), order.id, missing, { to: "card", reason: "fox" });
    fake.pendRefunds = false;
    const pending = [...fake.refunds.keys()].at(-1)!;
    await happens(() => fake.refundInDashboard(order.ref, backCents));
    await happens(() => fake.failRefund(pending, "expired_or_canceled_card"));
    const [failed] = await waitingOf(order);
    await expect(
      resendRefund(operator(), failed!.id, { to: "card", reason: "again", dryRun: false }),
    ).rejects.toMatchObject({ details: { code: "returned" } });

    const other = await failedShortage();
    await refundOrder(operator(), other.id, { ...input, amountCents: 400 });
    await resendRefund(operator(), other.failed.id, { to: "card", reason: "again", dryRun: false });
    expect([await refundedOf(other), await waitingOf(other)]).toEqual([other.lostCents + 400, []]);
    await expectAgreement();
  });

  test("refused refund: already refunded in the dashboard while it was requested: what went back there is not due", async () => {
    const order = await chargedOrder();
    const { refund } = deps.payments;
    deps.payments.refund = (request) => {
      fake.refundInDashboard(order.ref, order.total - 400);
      fake.refuseRefunds("charge_already_refunded");
      return refund(request);
    };
    try {
      const done = await cancelOrder(operator(), order.id, input);
      expect(done.refunds).toMatchObject([{ state: "failed", failure: "charge_already_refunded" }]);
    } finally {
      deps.payments.refund = refund;
    }
    expect(await waitingOf(order)).toMatchObject([{ amount_cents: 400 }]);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total - 400]);
    await expectAgreement();
  });

  test("refused refunds: of two of one charge the dashboard gives exactly the later one: the earlier one still waits", async () => {
    const order = await chargedOrder(2);
    fake.refuseRefunds("expired_card");
    await refundOrder(operator(), order.id, { ...input, amountCents: 400 });
    market.clock.advance(60_000);
    fake.refuseRefunds("expired_card");
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const { backCents } = await shortOrder(operator(), order.id, missing, { to: "card", reason: "fox" });
    expect((await waitingOf(order)).map(({ amount_cents: amount }) => amount)).toEqual([400, backCents]);
    await happens(() => fake.refundInDashboard(order.ref, backCents));
    expect((await waitingOf(order)).map(({ amount_cents: amount }) => amount)).toEqual([400]);
    const moved = await db.refund.findFirstOrThrow({
      where: { payment_id: order.paymentId, key: { startsWith: "refund:" } },
    });
    expect(moved).toMatchObject({ kind: "short", amount_cents: backCents, order_id: order.id });
    expect(await db.audit_entry.findMany({ where: { action: "refund", subject: `order:${order.id}` } })).toMatchObject([
      { data: { amountCents: backCents } },
    ]);
    await expectAgreement();
  });

  test("refused refund: of a shopper who deleted the account since it is not given as store credit, and goes to the card", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("expired_card");
    await cancelOrder(operator(), order.id, input);
    const [failed] = await waitingOf(order);
    await sendDueMail(deps);
    await deleteAccount(operator(), asCustomerId(order.who.customer.id), "a test");
    const resend = (to: "card" | "credit") =>
      resendRefund(operator(), failed!.id, { to, reason: "again", dryRun: false });
    await expect(resend("credit")).rejects.toMatchObject({ status: 409, details: { code: "no_customer" } });
    expect([await creditOf(order), (await waitingOf(order)).length]).toEqual([0, 1]);
    expect(await resend("card")).toMatchObject({ state: "done", amountCents: order.total });
    expect(await waitingOf(order)).toEqual([]);
    await expectAgreement();
  });

  test("goodwill at a vendor's expense that the bank refuses while it disputes all but a part: that part waits, and the vendor bears no more", async () => {
    const order = await chargedOrder();
    const dueOf = async () => (await findDues(db, "2026-12-31", order.vendorId))[0]!.due_cents;
    const before = await dueOf();
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
    // The dispute's webhook has not come yet when the refund is requested.
    fake.dispute(order.ref, { amount: order.total - 200 });
    const { refund } = deps.payments;
    deps.payments.refund = async () => ({ state: "failed", failure: "charge_disputed", reason: "disputed" });
    const { movedMoney } = deps.payments;
    const listDisputes = movedMoney!.listDisputes;
    let isHidden = true;
    movedMoney!.listDisputes = async (of) => (isHidden ? ((isHidden = false), []) : listDisputes(of));
    try {
      await refundOrder(operator(), order.id, { ...input, amountCents: 500, bearer: slug });
    } finally {
      deps.payments.refund = refund;
      movedMoney!.listDisputes = listDisputes;
    }
    expect((await waitingOf(order)).map(({ amount_cents: amount }) => amount)).toEqual([200]);
    expect(await dueOf()).toBe(before - 200);
    await closeRefund(operator(), (await waitingOf(order))[0]!.id, "not due", false);
    expect(await dueOf()).toBe(before);
    expect(await market.audit()).toEqual([]);
  });

  test("closed refund: given by hand, it is not due again after a dispute that the market won", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("expired_card");
    await cancelOrder(operator(), order.id, input);
    const [failed] = await waitingOf(order);
    await closeRefund(operator(), failed!.id, "gave it in cash", false);
    let dispute = "";
    await happens(() => (dispute = fake.dispute(order.ref)));
    await happens(() => fake.moveDispute(dispute, "won"));
    expect(await waitingOf(order)).toEqual([]);
    await expectAgreement();
  });

  test.each([
    ["an operator closes it", async (_order: Charged, id: string) => closeRefund(operator(), id, "not due", false)],
    ["the bank takes the money", async (order: Charged) => happens(() => fake.dispute(order.ref))],
  ])("goodwill at a vendor's expense that fails: the vendor has it back when %s", async (_how, end) => {
    const order = await chargedOrder();
    const dueOf = async () => (await findDues(db, "2026-12-31", order.vendorId))[0]!.due_cents;
    const before = await dueOf();
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
    const goodwill = { ...input, amountCents: 500, bearer: slug };
    fake.refuseRefunds("charge_disputed");
    const first = await refundOrder(operator(), order.id, goodwill);
    expect([first.state, await dueOf()]).toEqual(["failed", before - 500]);
    fake.refuseRefunds("charge_disputed");
    const again = await resendRefund(operator(), first.refundId!, { to: "card", reason: "again", dryRun: false });
    expect([again.state, await dueOf()]).toEqual(["failed", before - 500]);
    await end(order, again.id);
    expect([await waitingOf(order), await dueOf()]).toEqual([[], before]);
    await expectAgreement();
  });

  test("goodwill at a vendor's expense that fails, and is given in part in the dashboard: the vendor has the rest back when it is closed", async () => {
    const order = await chargedOrder();
    const dueOf = async () => (await findDues(db, "2026-12-31", order.vendorId))[0]!.due_cents;
    const before = await dueOf();
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
    fake.refuseRefunds("expired_card");
    await refundOrder(operator(), order.id, { ...input, amountCents: 500, bearer: slug });
    await happens(() => fake.refundInDashboard(order.ref, 300));
    const rests = await waitingOf(order);
    expect(rests).toMatchObject([{ amount_cents: 200 }]);
    await closeRefund(operator(), rests[0]!.id, "not due", false);
    expect([await waitingOf(order), await dueOf()]).toEqual([[], before - 300]);
    await expectAgreement();
  });

  test("goodwill at a vendor's expense that fails: the vendor bears it once when it is given in the dashboard or again", async () => {
    for (const isOutside of [true, false]) {
      const order = await chargedOrder();
      const dueOf = async () => (await findDues(db, "2026-12-31", order.vendorId))[0]!.due_cents;
      const before = await dueOf();
      const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
      fake.refuseRefunds("expired_card");
      const { refundId } = await refundOrder(operator(), order.id, { ...input, amountCents: 500, bearer: slug });
      if (isOutside) await happens(() => fake.refundInDashboard(order.ref, 500));
      else await resendRefund(operator(), refundId!, { to: "credit", reason: "again", dryRun: false });
      expect([await waitingOf(order), await dueOf()]).toEqual([[], before - 500]);
    }
  });

  /** A charged order, a refund of it that its vendor bears, and what the vendor is due for all orders. */
  async function orderWithBorne(units: number, amountCents: number) {
    const order = await chargedOrder(units);
    const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
    const dueOf = async () => (await findDues(db, "2026-12-31", order.vendorId))[0]?.due_cents ?? 0;
    const before = await dueOf();
    const refund = () => refundOrder(operator(), order.id, { ...input, amountCents, bearer: slug });
    return { order, before, dueOf, refund };
  }

  test("goodwill at a vendor's expense of an order that is cancelled: the vendor has it back, once, when the refund fails later and is given in part in the dashboard", async () => {
    const { order, before, dueOf, refund } = await orderWithBorne(1, 2000);
    const { refundId } = await refund();
    expect(await dueOf()).toBe(before - 2000);
    await cancelOrder(operator(), order.id, input);
    expect([await dueOf(), await refundedOf(order)]).toEqual([0, order.total]);
    const { provider_ref: ref } = await db.refund.findUniqueOrThrow({ where: { id: refundId! } });
    await happens(() => fake.failRefund(ref!));
    expect(await waitingOf(order)).toMatchObject([{ amount_cents: 2000 }]);
    await happens(() => fake.refundInDashboard(order.ref, 300));
    const rests = await waitingOf(order);
    expect(rests).toMatchObject([{ amount_cents: 1700 }]);
    await closeRefund(operator(), rests[0]!.id, "gave it in cash", false);
    expect([await waitingOf(order), await dueOf()]).toEqual([[], 0]);
    expect(await market.audit()).toEqual([]);
  });

  test.each([
    ["is given again", (id: string) => resendRefund(operator(), id, { to: "credit", reason: "again", dryRun: false })],
    ["is closed", (id: string) => closeRefund(operator(), id, "not due", false)],
  ])(
    "goodwill at a vendor's expense of an order that is cancelled: the vendor bears none of it when it fails later and %s",
    async (_how, end) => {
      const { order, dueOf, refund } = await orderWithBorne(1, 2000);
      const { refundId } = await refund();
      await cancelOrder(operator(), order.id, input);
      const { provider_ref: ref } = await db.refund.findUniqueOrThrow({ where: { id: refundId! } });
      await happens(() => fake.failRefund(ref!));
      const [failed] = await waitingOf(order);
      await end(failed!.id);
      expect([await waitingOf(order), await dueOf()]).toEqual([[], 0]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("goodwill at a vendor's expense that failed before the order is cancelled: the vendor has it back, once", async () => {
    const { order, before, dueOf, refund } = await orderWithBorne(1, 500);
    fake.refuseRefunds("expired_card");
    await refund();
    expect(await dueOf()).toBe(before - 500);
    await cancelOrder(operator(), order.id, input);
    expect(await dueOf()).toBe(0);
    await closeRefund(operator(), (await waitingOf(order))[0]!.id, "not due", false);
    expect([await waitingOf(order), await dueOf()]).toEqual([[], 0]);
    await expectAgreement();
  });

  test("goodwill at a vendor's expense of an order that is short while a bank has its money: the vendor bears it until the order is cancelled", async () => {
    const { order, dueOf, refund } = await orderWithBorne(2, 500);
    await refund();
    let dispute = "";
    await happens(() => (dispute = fake.dispute(order.ref)));
    const before = await dueOf();
    await shortOrder(operator(), order.id, [{ variantId: order.ham.variant.id, quantity: 1 }], input);
    const { items_cents: items } = await db.order.findUniqueOrThrow({ where: { id: order.id } });
    expect(items).toBe(2500);
    expect(await dueOf()).toBe((before + 500) / 2 - 500);
    await happens(() => fake.moveDispute(dispute, "won"));
    expect(await dueOf()).toBe((before + 500) / 2 - 500);
    await cancelOrder(operator(), order.id, input);
    expect(await dueOf()).toBe(0);
    expect(await market.audit()).toEqual([]);
  });
});
