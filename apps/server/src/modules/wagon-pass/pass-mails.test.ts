import { randomUUID } from "node:crypto";

import { execute, sql } from "@marketday/db";
import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { cardRef, createHub, GOOD_CARD, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { mailsIn } from "../../../test/mails.ts";
import { signIn } from "../../../test/sign-in.ts";
import { cleanUp } from "../../jobs/clean-up.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { resumeAbandonedPurchases } from "../payments/buy.ts";
import { endPassByMarket } from "./end-pass.ts";
import { renewWagonPasses } from "./renew-wagon-pass.ts";
import { findFirstTry } from "./store.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const hub = await createHub(db);
const job = (name: string): Context => ({ now: market.clock.now(), actor: { type: "system", job: name }, deps });

beforeEach(() => market.clock.set(MONDAY));

/** Every job of passes and mails at an instant, as two servers run it. */
async function runJobs(at: string): Promise<void> {
  market.clock.set(at);
  await Promise.all([renewWagonPasses(job("wagon-passes")), renewWagonPasses(job("wagon-passes"))]);
  await Promise.all([sendDueMail(deps), sendDueMail(deps)]);
}

type Holder = Awaited<ReturnType<typeof signIn>>;

/** A customer who bought a pass on November 23, 2026. */
async function holder(plan: "monthly" | "yearly") {
  const signedIn = await signIn(market, { hubId: hub.id });
  const login = () => signedIn.post("/auth/login", { username: signedIn.customer.email, password: PASSWORD });
  const who = { ...signedIn, login };
  expect((await who.post("/wagon-pass", { plan, card: GOOD_CARD })).status).toBe(200);
  return who;
}
/** The subjects of the mails that a customer got, in the order in which they were enqueued. */
async function subjectsTo(who: Holder): Promise<string[]> {
  const rows = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
  const mails = await mailsTo(who);
  expect(mails).toHaveLength(rows.filter(({ sent_at }) => sent_at !== null).length);
  return mails.map(({ subject }) => subject ?? "").toSorted();
}
const mailsTo = async (who: Holder) =>
  (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === who.customer.email);
const mailTo = async (who: Holder, subject: string): Promise<string> => {
  const found = (await mailsTo(who)).filter((mail) => mail.subject === subject);
  expect(found).toHaveLength(1);
  return found[0]!.text ?? "";
};
const chargesOf = async (who: Holder): Promise<number[]> =>
  (
    await db.payment.findMany({
      where: { customer_id: who.customer.id, state: "captured" },
      orderBy: { created_at: "asc" },
    })
  ).map(({ amount_cents }) => amount_cents);
const dayOf = (day: string) => formatLongWithYear(calendarDate(day));

test("wagon pass, bought and renewed: one receipt each, with the amount, the next renewal and the way to end it", async () => {
  const who = await holder("monthly");
  await runJobs(MONDAY);
  const bought = await mailTo(who, "Your wagon pass: receipt for $13.95");
  expect(bought).toContain("Plan: Monthly");
  expect(bought).toContain("Paid: $13.95");
  expect(bought).toContain(`Next renewal: ${dayOf("2026-12-23")}`);
  expect(bought).toMatch(/You can end it at any time with the link below/);
  expect(bought).toMatch(/See or end your pass: http:\/\/\S+\/wagon-pass\s/);
  for (const at of ["2026-12-22T17:00:00Z", "2026-12-23T06:00:00Z", "2026-12-23T06:05:00Z"]) await runJobs(at);
  expect(await mailTo(who, "Your wagon pass was renewed: $13.95")).toContain(`Next renewal: ${dayOf("2027-01-23")}`);
  expect(await subjectsTo(who)).toEqual(["Your wagon pass was renewed: $13.95", "Your wagon pass: receipt for $13.95"]);
  expect(await chargesOf(who)).toEqual([1395, 1395]);
  expect(await market.audit()).toEqual([]);
});

test("wagon pass, paid by a request that died before the grant: the sweep grants it with one receipt", async () => {
  const who = await signIn(market, { hubId: hub.id });
  points.plan["purchase:captured"] = "throw";
  expect((await who.post("/wagon-pass", { plan: "yearly", card: GOOD_CARD })).status).toBe(500);
  delete points.plan["purchase:captured"];
  market.clock.set("2026-11-23T17:05:00Z");
  await Promise.all([resumeAbandonedPurchases(job("purchases")), resumeAbandonedPurchases(job("purchases"))]);
  await runJobs("2026-11-23T17:06:00Z");
  expect(await subjectsTo(who)).toEqual(["Your wagon pass: receipt for $139.95"]);
  expect(await mailTo(who, "Your wagon pass: receipt for $139.95")).toContain("We'll email you 30 days before.");
});

test("wagon pass whose receipt cannot be written: nothing is granted, and the sweep grants it with its receipt", async () => {
  const who = await signIn(market, { hubId: hub.id });
  await execute(
    db,
    sql`create function no_receipt() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$`,
  );
  await execute(
    db,
    sql`create trigger no_receipt before insert on mail for each row when (new.template = 'wagon-pass-receipt') execute function no_receipt()`,
  );
  try {
    expect((await who.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD })).status).toBe(500);
    expect(await db.wagon_pass.count({ where: { customer_id: who.customer.id } })).toBe(0);
  } finally {
    await execute(db, sql`drop trigger no_receipt on mail`);
    await execute(db, sql`drop function no_receipt()`);
  }
  market.clock.set("2026-11-23T17:05:00Z");
  await resumeAbandonedPurchases(job("purchases"));
  await runJobs("2026-11-23T17:06:00Z");
  expect(await subjectsTo(who)).toEqual(["Your wagon pass: receipt for $13.95"]);
  expect(await chargesOf(who)).toEqual([1395]);
});

test("yearly wagon pass: one reminder 30 days before the renewal with its amount and day, then the charge and its receipt", async () => {
  const who = await holder("yearly");
  const reminder = `Your wagon pass renews on ${dayOf("2027-11-23")} for $139.95`;
  const seen: [string, number, number][] = [];
  for (const day of [
    "2027-10-09",
    "2027-10-23",
    "2027-10-24",
    "2027-11-08",
    "2027-11-16",
    "2027-11-22",
    "2027-11-23",
  ]) {
    await runJobs(`${day}T17:00:00Z`);
    await runJobs(`${day}T17:30:00Z`);
    seen.push([
      day,
      (await subjectsTo(who)).filter((subject) => subject === reminder).length,
      (await chargesOf(who)).length,
    ]);
  }
  expect(seen).toEqual([
    ["2027-10-09", 0, 1],
    ["2027-10-23", 0, 1],
    ["2027-10-24", 1, 1],
    ["2027-11-08", 1, 1],
    ["2027-11-16", 1, 1],
    ["2027-11-22", 1, 1],
    ["2027-11-23", 1, 2],
  ]);
  const text = await mailTo(who, reminder);
  expect(text).toContain("To be charged: $139.95");
  expect(text).toMatch(/See or end your pass: http:\/\/\S+\/wagon-pass\s/);
  expect(await mailTo(who, "Your wagon pass was renewed: $139.95")).toContain(`Next renewal: ${dayOf("2028-11-23")}`);
  expect(await subjectsTo(who)).toHaveLength(3);
  expect(await market.audit()).toEqual([]);
});

test("yearly wagon pass whose customer gets no market messages: the reminder is sent all the same", async () => {
  const who = await holder("yearly");
  await db.customer.update({ where: { id: who.customer.id }, data: { subscribed_all_messages: false } });
  await runJobs("2027-10-24T17:00:00Z");
  expect(await subjectsTo(who)).toContain(`Your wagon pass renews on ${dayOf("2027-11-23")} for $139.95`);
});

test.each([
  ["20 days before the renewal", "2027-11-03", "2027-11-23"],
  ["3 days before the renewal", "2027-11-20", "2027-12-05"],
  ["10 days after the renewal was due", "2027-12-03", "2027-12-18"],
])(
  "yearly wagon pass, jobs run again only %s: reminded at once, and charged 15 days later at the earliest",
  async (_, back, charged) => {
    const who = await holder("yearly");
    await runJobs("2027-10-20T17:00:00Z");
    await runJobs(`${back}T17:00:00Z`);
    const reminder = `Your wagon pass renews on ${dayOf(charged)} for $139.95`;
    await mailTo(who, reminder);
    const eve = new Date(Date.parse(`${charged}T17:00:00Z`) - 24 * 3_600_000).toISOString();
    await runJobs(eve);
    expect(await chargesOf(who)).toHaveLength(1);
    expect((await db.wagon_pass.findFirstOrThrow({ where: { customer_id: who.customer.id } })).status).toBe("active");
    await runJobs(`${charged}T17:00:00Z`);
    await runJobs(`${charged}T18:00:00Z`);
    expect(await chargesOf(who)).toHaveLength(2);
    expect(await mailTo(who, "Your wagon pass was renewed: $139.95")).toContain(`Next renewal: ${dayOf("2028-11-23")}`);
    expect((await subjectsTo(who)).filter((subject) => subject.startsWith("Your wagon pass renews"))).toEqual([
      reminder,
    ]);
  },
);

test("yearly wagon pass whose reminder is queued but not sent: not charged, and the reminder names a day that is still to come", async () => {
  const who = await holder("yearly");
  market.clock.set("2027-10-24T17:00:00Z");
  await renewWagonPasses(job("wagon-passes"));
  // The mail server is away until after the renewal day.
  for (const at of ["2027-11-23T17:00:00Z", "2027-11-30T17:00:00Z"]) {
    market.clock.set(at);
    await renewWagonPasses(job("wagon-passes"));
  }
  expect(await chargesOf(who)).toHaveLength(1);
  await runJobs("2027-12-01T17:00:00Z");
  await mailTo(who, `Your wagon pass renews on ${dayOf("2027-12-16")} for $139.95`);
  await runJobs("2027-12-15T17:00:00Z");
  expect(await chargesOf(who)).toHaveLength(1);
  await runJobs("2027-12-16T17:00:00Z");
  expect(await chargesOf(who)).toHaveLength(2);
});

test("monthly wagon pass: no reminder at the same price; at another one it says so, and is sent before the charge", async () => {
  const [same, raised] = [await holder("monthly"), await holder("monthly")];
  // Neither an earlier price, nor the price of another plan, nor a payment that failed is what was paid last.
  const paid = (plan: string, state: string, amount_cents: number, at: string) => {
    const id = randomUUID();
    const purpose = { kind: "wagon-pass", plan, passId: null };
    const data = { id, charge_key: id, customer_id: same.customer.id, provider: "test", provider_ref: id, purpose };
    const captured_cents = state === "captured" ? amount_cents : 0;
    return db.payment.create({ data: { ...data, state, amount_cents, captured_cents, created_at: new Date(at) } });
  };
  const others = [
    await paid("monthly", "captured", 1195, "2025-11-23T17:00:00Z"),
    await paid("yearly", "captured", 13_995, "2026-11-24T17:00:00Z"),
    await paid("monthly", "failed", 1495, "2026-11-25T17:00:00Z"),
  ];
  await db.payment.updateMany({
    where: { customer_id: raised.customer.id },
    data: { amount_cents: 1195, captured_cents: 1195 },
  });
  await runJobs("2026-12-01T17:00:00Z");
  const reminder = `Your wagon pass renews on ${dayOf("2026-12-23")} for $13.95`;
  expect(await subjectsTo(same)).not.toContain(reminder);
  await db.payment.deleteMany({ where: { id: { in: others.map(({ id }) => id) } } });
  expect(await mailTo(raised, reminder)).toContain("This is a new price: last time you paid $11.95.");
  await runJobs("2026-12-23T17:00:00Z");
  expect([await chargesOf(same), await chargesOf(raised)]).toEqual([
    [1395, 1395],
    [1195, 1395],
  ]);
  await runJobs("2027-01-20T17:00:00Z");
  expect((await subjectsTo(raised)).filter((subject) => subject.startsWith("Your wagon pass renews"))).toEqual([
    reminder,
  ]);
});

test("monthly wagon pass at a price that changed 3 days before its renewal: charged 7 days after the reminder", async () => {
  const who = await holder("monthly");
  await runJobs("2026-12-20T17:00:00Z");
  await db.payment.updateMany({
    where: { customer_id: who.customer.id },
    data: { amount_cents: 1195, captured_cents: 1195 },
  });
  await runJobs("2026-12-20T18:00:00Z");
  await mailTo(who, `Your wagon pass renews on ${dayOf("2026-12-27")} for $13.95`);
  await runJobs("2026-12-26T18:00:00Z");
  expect(await chargesOf(who)).toEqual([1195]);
  await runJobs("2026-12-27T18:00:00Z");
  expect(await chargesOf(who)).toEqual([1195, 1395]);
});

test("wagon pass reminder of a pass that was ended before it is sent: dropped", async () => {
  const who = await holder("yearly");
  market.clock.set("2027-10-24T17:00:00Z");
  await renewWagonPasses(job("wagon-passes"));
  await endPassByMarket(job("test"), asCustomerId(who.customer.id), { reason: "The van is sold.", dryRun: false });
  await sendDueMail(deps);
  expect((await mailsTo(who)).map(({ subject }) => subject)).not.toContainEqual(expect.stringContaining("renews"));
});

test("wagon pass that its customer ends, in two tabs: one mail with its last day", async () => {
  const who = await holder("yearly");
  await Promise.all([who.delete("/wagon-pass"), who.delete("/wagon-pass"), who.delete("/wagon-pass")]);
  await runJobs("2026-11-23T17:10:00Z");
  const text = await mailTo(who, `Your wagon pass ends on ${dayOf("2027-11-23")}`);
  expect(text).toContain("You ended your wagon pass. It won't renew, and you won't be charged for it again.");
  expect(text).toContain(`Last day: ${dayOf("2027-11-23")}`);
  expect(await subjectsTo(who)).toHaveLength(2);
  for (const at of ["2027-10-25T17:00:00Z", "2027-11-23T17:00:00Z"]) await runJobs(at);
  expect(await subjectsTo(who)).toHaveLength(2);
  expect(await chargesOf(who)).toHaveLength(1);
});

test("wagon pass that the market ends: one mail with the reason and its last day, a dry run writes nothing, a second time is refused", async () => {
  const who = await holder("monthly");
  const end = (dryRun: boolean) =>
    endPassByMarket(job("test"), asCustomerId(who.customer.id), { reason: "We stop deliveries to your town.", dryRun });
  await end(true);
  expect((await db.wagon_pass.findFirstOrThrow({ where: { customer_id: who.customer.id } })).status).toBe("active");
  await end(false);
  await expect(end(false)).rejects.toMatchObject({ status: 409, details: { code: "no_pass" } });
  await runJobs("2026-11-23T17:10:00Z");
  const text = await mailTo(who, `Your wagon pass ends on ${dayOf("2026-12-23")}`);
  expect(text).toContain("We ended your wagon pass.");
  expect(text).toContain("We stop deliveries to your town.");
  expect(await db.audit_entry.count({ where: { action: "passes end", subject: `customer:${who.customer.id}` } })).toBe(
    1,
  );
});

test("wagon pass that ends because its card is declined: the mails name the amount and the last day", async () => {
  const who = await holder("monthly");
  await db.payment_method.updateMany({
    where: { customer_id: who.customer.id },
    data: { provider_ref: cardRef("4000000000000002", who.customer.id) },
  });
  for (const day of ["23", "24", "26", "29"]) await runJobs(`2026-12-${day}T17:00:00Z`);
  expect(await mailTo(who, "We couldn't renew your wagon pass")).toContain(
    `It was due on ${dayOf("2026-12-23")} for $13.95.`,
  );
  const ended = await mailTo(who, "Your wagon pass has ended");
  expect(ended).toContain(`Paid until: ${dayOf("2026-12-23")}`);
  expect(ended).toContain(`Last day: ${dayOf("2026-12-29")}`);
});

test("wagon pass ended while its renewal is being paid: the receipt says that it does not renew, and its last day", async () => {
  const who = await holder("monthly");
  const gate = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan["purchase:captured"] = { until: gate.promise };
  market.clock.set("2026-12-23T17:00:00Z");
  const reached = points.reached("purchase:captured");
  const renewing = renewWagonPasses(job("wagon-passes"));
  try {
    await reached;
    await who.login();
    expect((await who.delete("/wagon-pass")).status).toBe(200);
  } finally {
    delete points.plan["purchase:captured"];
    gate.resolve();
    await renewing;
  }
  await runJobs("2026-12-23T17:10:00Z");
  const text = await mailTo(who, "Your wagon pass was renewed: $13.95");
  expect(text).toContain("You ended this pass while the payment was being made, so it won't renew.");
  expect(text).toContain(`Last day: ${dayOf("2027-01-23")}`);
});

test("wagon pass reminder that was deleted by the clean-up of old mails: sent again before anything is charged", async () => {
  const who = await holder("yearly");
  await runJobs("2027-10-24T17:00:00Z");
  market.clock.set("2028-02-10T17:00:00Z");
  await cleanUp(job("clean-up"));
  await runJobs("2028-02-10T18:00:00Z");
  expect(await chargesOf(who)).toHaveLength(1);
  const later = `Your wagon pass renews on ${dayOf("2028-02-25")} for $139.95`;
  expect((await mailsTo(who)).map(({ subject }) => subject)).toContain(later);
});

test("account that is deleted with an active wagon pass: its mail says that the pass ended", async () => {
  const [who, other] = [await holder("yearly"), await signIn(market, { hubId: hub.id })];
  for (const each of [who, other]) expect((await each.delete("/account", { password: PASSWORD })).status).toBe(200);
  await runJobs("2026-11-23T17:10:00Z");
  const ended = "Your wagon pass ended with it today.";
  expect(await mailTo(who, "Your account was deleted")).toContain(ended);
  expect((await mailsTo(other)).map(({ text }) => text?.includes(ended))).toEqual([false]);
});

test("first try of a renewal: found by its key with or without a later part; % and _ in a key are no wildcards", async () => {
  const { customer } = await signIn(market, { hubId: hub.id });
  const payment = {
    customer_id: customer.id,
    provider: "test",
    state: "failed",
    amount_cents: 1_395,
    created_at: new Date("2026-12-24T03:00:00Z"),
  };
  await db.payment.create({ data: { ...payment, id: randomUUID(), idempotency_key: "wagon-pass 7:1" } });
  const found = (key: string) => findFirstTry(db, customer.id, key);
  expect([await found("wagon-pass 7:1"), await found("wagon-pass 7")]).toEqual(["2026-12-23", "2026-12-23"]);
  for (const key of ["wagon-pass_7", "wagon-pass%", "%", "wagon-pass"]) expect(await found(key), key).toBeNull();
});
