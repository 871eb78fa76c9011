import { transaction } from "@marketday/db";
import { calendarDate } from "@marketday/domain/calendar-date";
import { beforeEach, describe, expect, test } from "vitest";

import { MONDAY } from "../../../test/app.ts";
import { createHub, GOOD_CARD, PASSWORD } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { waitForLock } from "../../../test/locks.ts";
import { refuseWrites } from "../../../test/refuse-writes.ts";
import { ASKING, refusingStripe } from "../../../test/refusing-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { asCustomerId } from "../identity/context.ts";
import { findFailures } from "../job-failures/failure-sql.ts";
import { resumeAbandonedPurchases } from "../payments/buy.ts";
import { findOrphanedCharges } from "../payments/find-orphaned-charges.ts";
import { makeDefault } from "../payments/method-sql.ts";
import { lapsePass, lockCustomerPass } from "./pass-sql.ts";
import { renewWagonPasses } from "./renew-wagon-pass.ts";
import { renewPass } from "./store.ts";

const { market, fake, db, context, saveCard, mailsTo, templatesTo, intentsOf } = await refusingStripe();
beforeEach(() => {
  market.clock.set(MONDAY);
  fake.clearTroubles();
});

type Browser = Awaited<ReturnType<typeof signIn>>;

/** Nothing is wrong after the sweeps, which run every minute. */
async function expectAgreement() {
  await resumeAbandonedPurchases(context());
  await findOrphanedCharges(context());
  expect(await market.audit()).toEqual([]);
}

describe("the renewal of a pass: refused", () => {
  const RENEWAL = ["2026-12-23T17:00:00Z", "2026-12-24T17:01:00Z", "2026-12-26T17:01:00Z", "2026-12-29T17:01:00Z"];
  async function holder(renewsOn: string = ASKING) {
    const who = await signIn(market, { hubId: (await createHub(db)).id });
    const methodId = await saveCard(who, GOOD_CARD.number);
    const bought = await who.post("/wagon-pass", { plan: "monthly", paymentMethodId: methodId });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    if (renewsOn === GOOD_CARD.number) return { who, asking: methodId };
    const asking = await saveCard(who, renewsOn);
    expect(await makeDefault(db as never, asCustomerId(who.customer.id), asking, market.clock.now())).toBe(true);
    return { who, asking };
  }
  const renew = (at: string) => renewWagonPasses(context(at));
  const passOf = (who: Browser) => db.wagon_pass.findFirstOrThrow({ where: { customer_id: who.customer.id } });

  test("a mail says so with the way to confirm; it is not requested again; confirmed, the pass is renewed once", async () => {
    const { who, asking } = await holder();
    await renew(RENEWAL[0]!);
    await renew(RENEWAL[1]!);
    expect(await intentsOf(who)).toHaveLength(2);
    const [receipt, mail] = (await mailsTo(who)).filter(({ template }) => template.startsWith("wagon-pass"));
    expect([receipt!.template, mail!.template]).toEqual(["wagon-pass-receipt", "wagon-pass-unconfirmed"]);
    expect(mail!.text).toContain("/embed/wagon-pass");
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    expect((await who.get("/wagon-pass")).body).toMatchObject({ status: "active", isOverdue: true });
    // Another plan than that of the pass that is due is no payment of it.
    const yearly = await who.post("/wagon-pass", { plan: "yearly", paymentMethodId: asking });
    expect([yearly.status, yearly.body[1].code]).toEqual([409, "active"]);
    const challenged = await who.post("/wagon-pass", { plan: "monthly", paymentMethodId: asking });
    expect(challenged.status, JSON.stringify(challenged.body)).toBe(202);
    // While the shopper is at the bank, the job charges nothing.
    await renew("2026-12-26T17:01:00Z");
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
    expect((await who.get("/wagon-pass")).body).toMatchObject({
      status: "active",
      renewsOn: "2027-01-23",
      isOverdue: false,
    });
    await renew("2026-12-27T17:01:00Z");
    expect((await intentsOf(who)).filter(({ status }) => status === "succeeded")).toHaveLength(2);
    expect((await who.post("/wagon-pass", { plan: "monthly", paymentMethodId: asking })).status).toBe(409);
    await expectAgreement();
  });

  test("not confirmed: it ends after six days with one clear mail, and the bank was requested once", async () => {
    const { who } = await holder();
    for (const at of RENEWAL) await renew(at);
    expect(await intentsOf(who)).toHaveLength(2);
    expect(await passOf(who)).toMatchObject({ status: "lapsed" });
    const mails = (await mailsTo(who)).filter(({ template }) => template.startsWith("wagon-pass"));
    expect(mails.map(({ template }) => template)).toEqual([
      "wagon-pass-receipt",
      "wagon-pass-unconfirmed",
      "wagon-pass-lapsed",
    ]);
    expect(mails[2]!.text).toMatch(/needed you to confirm/);
    expect(mails[2]!.text).not.toMatch(/declined/);
    await expectAgreement();
  });

  test.for<[name: string, status: number, error: object]>([
    ["the market's account", 400, { type: "invalid_request_error", code: "account_invalid" }],
    ["the bank", 402, { type: "card_error", code: "processing_error" }],
    ["the issuer", 402, { type: "card_error", code: "card_declined", decline_code: "issuer_not_available" }],
  ])(
    "%s is out for a week: no decline is counted, no mail, and it is renewed afterwards",
    async ([, status, error]) => {
      const { who } = await holder(GOOD_CARD.number);
      for (const at of RENEWAL) {
        fake.trouble("POST payment_intents", { status, error: { message: "No.", ...error } });
        await renew(at);
        expect(await passOf(who)).toMatchObject({ status: "active", declined: 0, unconfirmed_method_id: null });
      }
      expect((await findFailures(db, market.clock.now())).some(({ job }) => job === "wagon-passes")).toBe(true);
      await renew("2026-12-30T17:01:00Z");
      expect(await passOf(who)).toMatchObject({ status: "active", renews_on: new Date("2027-01-23") });
      expect((await intentsOf(who)).filter((intent) => intent.status === "succeeded")).toHaveLength(2);
      expect((await templatesTo(who)).filter((template) => template.startsWith("wagon-pass"))).toEqual([
        "wagon-pass-receipt",
        "wagon-pass-receipt",
      ]);
      await expectAgreement();
    },
  );

  test.for<[name: string, status: number, error: object, ends: string]>([
    ["the bank", 402, { type: "card_error", code: "card_declined", decline_code: "issuer_not_available" }, "lapsed"],
    ["the market's account", 400, { type: "invalid_request_error", code: "account_invalid" }, "active"],
  ])(
    "%s is out for four weeks: a bank counts as one that declines after two, with a mail, and never the market's account",
    async ([, status, error, ends]) => {
      const { who } = await holder(GOOD_CARD.number);
      const at = (day: number) => new Date(Date.parse(RENEWAL[0]!) + day * 86_400_000 + day * 60_000).toISOString();
      for (let day = 0; day < 28; day += 1) {
        fake.trouble("POST payment_intents", { status, error: { message: "No.", ...error } });
        await renew(at(day));
        const { declined } = await passOf(who);
        expect([day, declined === 0]).toEqual([day, ends === "active" || day <= 14]);
      }
      fake.clearTroubles();
      expect(await passOf(who)).toMatchObject({ status: ends });
      const mails = (await templatesTo(who)).filter((template) => template.startsWith("wagon-pass"));
      const late = ["wagon-pass-declined", "wagon-pass-lapsed"];
      expect(mails).toEqual(["wagon-pass-receipt", ...(ends === "lapsed" ? late : [])]);
      await renew(at(29));
      expect((await passOf(who)).status).toBe(ends);
      expect((await intentsOf(who)).filter((intent) => intent.status === "succeeded")).toHaveLength(
        ends === "lapsed" ? 1 : 2,
      );
      await expectAgreement();
    },
  );

  test("the bank is out when a renewal is tried for the first time ten days late: no decline is counted for two weeks from then", async () => {
    const { who } = await holder(GOOD_CARD.number);
    const at = (day: number) => new Date(Date.parse(RENEWAL[0]!) + day * 86_400_000 + day * 60_000).toISOString();
    const declinedOn = async (day: number) => {
      fake.trouble("POST payment_intents", {
        status: 402,
        error: { message: "No.", type: "card_error", code: "card_declined", decline_code: "issuer_not_available" },
      });
      await renew(at(day));
      return (await passOf(who)).declined;
    };
    expect([await declinedOn(10), await declinedOn(24), await declinedOn(25)]).toEqual([0, 0, 1]);
    await expectAgreement();
  });

  test.for<[name: string, table: string, condition: string]>([
    ["before the mail", "mail", "new.template like 'wagon-pass%'"],
    ["before the purchase ended", "payment", "new.state = 'failed'"],
  ])(
    "killed %s: the next run says that the bank wants it confirmed, without another request",
    async ([, table, condition]) => {
      const { who, asking } = await holder();
      const allow = await refuseWrites(db, table, condition);
      try {
        await renew(RENEWAL[0]!);
      } finally {
        await allow();
      }
      expect(await passOf(who)).toMatchObject({ status: "active", declined: 0 });
      await renew("2026-12-23T19:00:00Z");
      expect(await passOf(who)).toMatchObject({ status: "active", declined: 1, unconfirmed_method_id: asking });
      expect((await templatesTo(who)).filter((template) => template.startsWith("wagon-pass"))).toEqual([
        "wagon-pass-receipt",
        "wagon-pass-unconfirmed",
      ]);
      await renew(RENEWAL[1]!);
      expect(await intentsOf(who)).toHaveLength(2);
      await expectAgreement();
    },
  );

  test.for<[name: string, leave: (who: Browser) => Promise<unknown>]>([
    ["with the same card", () => Promise.resolve()],
    [
      "with another card, and without a saved one",
      (who) =>
        db.payment_method.updateMany({
          where: { customer_id: who.customer.id },
          data: { deleted_at: new Date(RENEWAL[0]!), is_default: false },
        }),
    ],
  ])("paid by hand %s at the moment of the last try: it is not ended, and renews", async ([, leave]) => {
    const { who } = await holder();
    for (const at of RENEWAL.slice(0, 3)) await renew(at);
    market.clock.set(RENEWAL[3]!);
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    const challenged = await who.post("/wagon-pass", { plan: "monthly", confirmationToken: tokenOf(ASKING) });
    expect(challenged.status, JSON.stringify(challenged.body)).toBe(202);
    await leave(who);
    await renew(RENEWAL[3]!);
    expect(await passOf(who)).toMatchObject({ status: "active" });
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
    expect((await who.get("/wagon-pass")).body).toMatchObject({ status: "active", renewsOn: "2027-01-23" });
    expect(await templatesTo(who)).not.toContain("wagon-pass-lapsed");
    await expectAgreement();
  });

  test("a declined pass whose payment by hand is at the bank: the next try charges no other card, and it is paid once", async () => {
    const { who } = await holder(GOOD_CARD.number);
    const error = { type: "card_error", code: "card_declined", message: "No." };
    fake.trouble("POST payment_intents", { status: 402, error });
    await renew(RENEWAL[0]!);
    expect(await passOf(who)).toMatchObject({ status: "active", declined: 1 });
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    market.clock.set(RENEWAL[1]!);
    const challenged = await who.post("/wagon-pass", { plan: "monthly", confirmationToken: tokenOf(ASKING) });
    expect(challenged.status, JSON.stringify(challenged.body)).toBe(202);
    const before = (await intentsOf(who)).length;
    await renew(RENEWAL[1]!);
    expect(await intentsOf(who)).toHaveLength(before);
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
    await renew(RENEWAL[2]!);
    expect((await intentsOf(who)).filter(({ status }) => status === "succeeded")).toHaveLength(2);
    expect((await who.get("/wagon-pass")).body).toMatchObject({ status: "active", renewsOn: "2027-01-23" });
    await expectAgreement();
  });

  test("a pass that is renewed while its payment by hand begins: 409, and the card is not charged a second time", async () => {
    const { who, asking } = await holder();
    await renew(RENEWAL[0]!);
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    const pass = await passOf(who);
    const before = (await intentsOf(who)).length;
    const { purchase } = await transaction(db, async (tx) => {
      await lockCustomerPass(tx, who.customer.id);
      // It has read that the pass is overdue, and waits for the lock.
      const request = who.post("/wagon-pass", { plan: "monthly", paymentMethodId: asking });
      await waitForLock(db, request);
      await renewPass(tx, pass.id, calendarDate("2027-01-23"));
      return { purchase: request };
    });
    expect(await purchase).toMatchObject({
      status: 409,
      body: ["Your wagon pass is active already.", { code: "active" }],
    });
    expect(await intentsOf(who)).toHaveLength(before);
  });

  test("a pass that ended while its payment began, and another one was bought: the paid period is added without a renewal", async () => {
    const { who, asking } = await holder();
    for (const at of RENEWAL.slice(0, 3)) await renew(at);
    market.clock.set(RENEWAL[3]!);
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    const challenged = await who.post("/wagon-pass", { plan: "monthly", paymentMethodId: asking });
    const { id, ...before } = await passOf(who);
    await lapsePass(db, id);
    const bought = { started_on: new Date("2026-12-29"), renews_on: new Date("2027-12-29"), plan: "yearly" };
    await db.wagon_pass.create({ data: { customer_id: before.customer_id, status: "active", ...bought } });
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
    expect((await who.get("/wagon-pass")).body).toMatchObject({ status: "active", renewsOn: "2027-12-29" });
    expect(await db.wagon_pass.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "cancelled",
      renews_on: null,
      ends_on: new Date("2027-01-23"),
    });
    await expectAgreement();
  });

  test("a renewal that is declined, and that another card's bank wants confirmed at the next try: each has its mail", async () => {
    const { who } = await holder(GOOD_CARD.number);
    fake.trouble("POST payment_intents", {
      status: 402,
      error: { type: "card_error", code: "card_declined", message: "No." },
    });
    await renew(RENEWAL[0]!);
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    const asking = await saveCard(who, ASKING);
    await makeDefault(db as never, asCustomerId(who.customer.id), asking, market.clock.now());
    for (const at of RENEWAL.slice(1, 3)) await renew(at);
    expect(await passOf(who)).toMatchObject({ status: "active", declined: 3, unconfirmed_method_id: asking });
    expect((await templatesTo(who)).filter((template) => template.startsWith("wagon-pass"))).toEqual([
      "wagon-pass-receipt",
      "wagon-pass-declined",
      "wagon-pass-unconfirmed",
    ]);
  });

  test("a pass that ended while its payment began: paid, it is active again, and its receipt says when it renews", async () => {
    const { who, asking } = await holder();
    for (const at of RENEWAL.slice(0, 3)) await renew(at);
    market.clock.set(RENEWAL[3]!);
    await who.post("/auth/login", { username: who.customer.email, password: PASSWORD });
    const challenged = await who.post("/wagon-pass", { plan: "monthly", paymentMethodId: asking });
    expect(challenged.status, JSON.stringify(challenged.body)).toBe(202);
    // As a server of the version before does.
    await lapsePass(db, (await passOf(who)).id);
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
    expect((await who.get("/wagon-pass")).body).toMatchObject({
      status: "active",
      renewsOn: "2027-01-23",
      endsOn: null,
    });
    const receipt = (await mailsTo(who)).findLast(({ template }) => template === "wagon-pass-receipt")!;
    expect(receipt.text).not.toMatch(/You ended this pass/);
    await expectAgreement();
  });
});
