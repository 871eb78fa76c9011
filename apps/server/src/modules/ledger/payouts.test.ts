import { randomUUID } from "node:crypto";

import { STAFF_SESSION } from "@marketday/domain/staff";
import { expect, test } from "vitest";

import { buildTestApp, type TestMarket } from "../../../test/app.ts";
import { CHOICE } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { SHORT_DAY, shortDay } from "../../../test/short-day.ts";
import { counted } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { shortItem } from "../shorts/short-item.ts";
import { payVendors } from "./pay-vendors.ts";

/** The day after the delivery day, and the one after the next delivery day. */
const DAY_AFTER = "2026-11-27";
const WEEK_AFTER = "2026-12-04";
const noon = (day: string): string => `${day}T17:00:00Z`;

type Day = Awaited<ReturnType<typeof shortDay>>;
type Person = Awaited<ReturnType<typeof staffOf>>;
interface Line {
  vendor: { id: number; slug: string; name: string; email: string | null };
  sales: number;
  commission: number;
  compensation: number;
  earlier: number;
  due: number;
}

const centsOf = (dollars: number): number => Math.round(dollars * 100);
const expectSum = ({ sales, commission, compensation, earlier, due }: Line) =>
  expect(centsOf(sales) - centsOf(commission) + centsOf(compensation) + centsOf(earlier)).toBe(centsOf(due));

async function readDue(as: Person, query = "") {
  const { status, body } = await as.get(`/payouts/due${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  for (const line of body.lines as Line[]) expectSum(line);
  return body as { to: string; lines: Line[]; vendors: number; total: number; openDays: number; last: number | null };
}
async function readStatement(as: Person, vendorId: number, query = "") {
  const { status, body } = await as.get(`/payouts/due/${vendorId}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expectSum(body);
  return body;
}
const amountsOf = (lines: readonly Line[]) =>
  lines.filter(({ due }) => due > 0).map(({ vendor, due }) => ({ vendorId: vendor.id, amount: due }));
/** Books what is shown. */
async function book(as: Person) {
  const { to, lines } = await readDue(as);
  const { status, body } = await as.post("/payouts", { to, amounts: amountsOf(lines) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { payout: number; vendors: number; total: number };
}
const reverse = (as: Person, payout: number, vendorId: number) =>
  as.post(`/payouts/${payout}/vendors/${vendorId}/reverse`, { reason: "Account closed" });
const bookings = ({ db }: TestMarket) => db.ledger_transaction.count({ where: { kind: "payout" } });
const mailsOf = ({ db }: TestMarket, template: string) => db.mail.count({ where: { template } });

/** The market on the day after the delivery of these days; each has one vendor, and 7 dollars an egg. */
async function closedDays(market: TestMarket, ...days: number[][]) {
  const closed: Day[] = [];
  for (const boxes of days)
    closed.push(
      await shortDay(
        market,
        boxes.map((box) => [box]),
      ),
    );
  market.clock.set(noon(DAY_AFTER));
  return { days: closed, as: await staffOf(market, "bookkeeper") };
}

/** The first shopper of a day orders for the next week, which is closed and delivered. Returns a person who may pay for it. */
async function nextWeek(market: TestMarket, { eggs, shoppers }: Day, quantity: number) {
  const [shopper] = shoppers;
  await shopper!.put("/cart", [eggs.line(quantity)]);
  const { orderTotal } = (await shopper!.post("/checkout/quote", CHOICE)).body;
  const { status, body } = await shopper!.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  market.clock.set("2026-12-02T09:00:00Z");
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps: market.deps });
  market.clock.set(noon(WEEK_AFTER));
  return staffOf(market, "bookkeeper");
}

/** A person at the command line. */
const operator = ({ clock, deps }: TestMarket): Context => ({
  now: clock.now(),
  actor: { type: "operator", name: "mara" },
  deps,
});

/** One of the eggs of a day did not come, as is recorded by the command. */
const comesShort = async (market: TestMarket, { hub, vendor }: Day, came: number, of: number) =>
  shortItem(
    operator(market),
    { hub: hub.slug, day: SHORT_DAY, vendor: vendor.slug, item: "Eggs", came, of },
    { to: "credit", bearer: "vendor", reason: "fox" },
  );

test("payouts: in a market without sales nothing is due and none was booked", async () => {
  const market = await buildTestApp();
  const as = await staffOf(market, "auditor");
  expect(await readDue(as)).toEqual({
    to: "2026-11-23",
    today: "2026-11-23",
    lines: [],
    vendors: 0,
    total: 0,
    openDays: 0,
    last: null,
  });
  const { body, headers } = await as.get("/payouts");
  expect([body, headers["x-total-results"]]).toEqual([[], "0"]);
  expect((await as.get("/payouts/due/2000000")).status).toBe(404);
});

test("payouts: what is due is the sales of closed days less the commission, with what was sold; a day before its cutoff is counted, not included", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3, 2]);
  const [{ vendor }] = days as [Day];
  // Its cutoff is late.
  const open = await shortDay(market, [[1]], { isOpen: true });
  market.clock.set(noon(DAY_AFTER));
  const due = await readDue(as);
  expect(due).toMatchObject({ to: DAY_AFTER, vendors: 1, openDays: 1, last: null });
  expect(due.lines).toMatchObject([
    {
      vendor: { id: vendor.id, slug: vendor.slug, name: vendor.name, email: "farm@example.com" },
      sales: 35,
      compensation: 0,
      earlier: 0,
    },
  ]);
  expect(due.total).toBe(due.lines[0]!.due);
  expect(due.lines[0]!.commission).toBeGreaterThan(0);
  expect(await readStatement(as, vendor.id)).toEqual({
    to: DAY_AFTER,
    paidTo: null,
    orders: 2,
    items: [{ title: "Eggs", variant: "Each", quantity: 5, amount: 35 }],
    ...due.lines[0],
  });
  expect(await readDue(as, "?to=2026-11-25")).toMatchObject({ lines: [], total: 0, openDays: 0 });
  expect(await readStatement(as, open.vendor.id)).toMatchObject({ sales: 0, due: 0, orders: 0, items: [] });
});

test("payouts: what was shown is booked once, mailed, listed and due no longer", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3], [2]);
  const { total } = await readDue(as);
  const booked = await book(as);
  expect(booked).toEqual({ payout: expect.any(Number), vendors: 2, total });
  expect(await mailsOf(market, "vendor-payout")).toBe(2);
  const { body: listed, headers } = await as.get("/payouts");
  const summary = {
    id: booked.payout,
    bookedAt: market.clock.now().toISOString(),
    by: "Ada Kowalski",
    to: DAY_AFTER,
    vendors: 2,
    total,
    reversed: 0,
  };
  expect([listed, headers["x-total-results"]]).toEqual([[summary], "1"]);
  const { body } = await as.get(`/payouts/${booked.payout}`);
  expect(body).toMatchObject({ ...summary, parts: [{ reversal: null }, { reversal: null }] });
  expect(body.parts.reduce((sum: number, part: { amount: number }) => sum + centsOf(part.amount), 0)).toBe(
    centsOf(total),
  );
  expect(await readDue(as)).toMatchObject({ lines: [], vendors: 0, total: 0, last: booked.payout });
  expect(await readStatement(as, days[0]!.vendor.id)).toMatchObject({
    paidTo: DAY_AFTER,
    items: [],
    orders: 0,
    sales: 0,
    earlier: 0,
    due: 0,
  });
  expect(await market.audit()).toEqual([]);
});

test("payouts: a shortage after a payout is due to the market, and deducted from the next one", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [day] = days as [Day];
  const { payout, total } = await book(as);
  await comesShort(market, day, 1, 3);
  const over = await readDue(as);
  expect(over).toMatchObject({ vendors: 0, total: 0, last: payout });
  expect(over.lines).toMatchObject([{ sales: 0, commission: 0, compensation: 0 }]);
  const { earlier, due } = over.lines[0]!;
  expect(earlier).toBe(due);
  expect(due).toBeLessThan(0);
  // There is nothing to pay.
  const nothing = await as.post("/payouts", { to: over.to, amounts: [{ vendorId: day.vendor.id, amount: -due }] });
  expect([nothing.status, nothing.body[1].code]).toEqual([409, "amounts_changed"]);

  const later = await nextWeek(market, day, 5);
  const next = await readDue(later);
  expect(next.lines).toMatchObject([{ sales: 35, earlier }]);
  expect(next.total).toBe(next.lines[0]!.due);
  expect(await readStatement(later, day.vendor.id)).toMatchObject({
    paidTo: DAY_AFTER,
    orders: 1,
    items: [{ quantity: 5, amount: 35 }],
    ...next.lines[0],
  });
  expect((await book(later)).total).toBeLessThan(35);
  expect((await readDue(later)).lines).toEqual([]);
  expect((await later.get("/payouts")).body).toMatchObject([{ to: WEEK_AFTER }, { id: payout, total }]);
  expect(await market.audit()).toEqual([]);
});

test("payouts: a part that was reversed is due again, once, with its mail and its reason", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3], [2]);
  const [{ vendor }, other] = days as [Day, Day];
  const before = await readDue(as);
  const line = before.lines.find((each) => each.vendor.id === vendor.id)!;
  const { payout, total } = await book(as);
  expect(await reverse(as, payout, vendor.id)).toMatchObject({ status: 200, body: { amount: line.due } });
  expect(await reverse(as, payout, vendor.id)).toMatchObject({ status: 200, body: { amount: 0 } });
  expect(await mailsOf(market, "vendor-payout-reversed")).toBe(1);
  expect((await readDue(as)).lines).toEqual([line]);
  const { body } = await as.get("/payouts");
  expect(body).toMatchObject([{ id: payout, vendors: 2, total, reversed: line.due }]);
  const { parts } = (await as.get(`/payouts/${payout}`)).body as { parts: { vendor: { id: number } }[] };
  expect(parts.find((part) => part.vendor.id === vendor.id)).toMatchObject({
    amount: line.due,
    reversal: { at: market.clock.now().toISOString(), by: "Ada Kowalski", reason: "Account closed" },
  });
  expect(parts.find((part) => part.vendor.id === other.vendor.id)).toMatchObject({ reversal: null });
  const { id: reversal } = await market.db.ledger_transaction.findFirstOrThrow({ orderBy: { id: "desc" } });
  for (const url of [`/payouts/${reversal}`, `/payouts/${reversal}/file`]) expect((await as.get(url)).status).toBe(404);
  expect(await reverse(as, reversal, vendor.id)).toMatchObject({ status: 404 });
  expect(await reverse(as, payout, 2_000_000)).toMatchObject({ status: 404 });
  expect(await book(as)).toMatchObject({ vendors: 1, total: line.due });
  expect(await market.audit()).toEqual([]);
});

test("payouts: a part that was reversed after a later payout is due from earlier days", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [day] = days as [Day];
  const first = await book(as);
  const later = await nextWeek(market, day, 1);
  await book(later);
  expect(await reverse(later, first.payout, day.vendor.id)).toMatchObject({ status: 200 });
  expect((await readDue(later)).lines).toMatchObject([
    { sales: 0, commission: 0, earlier: first.total, due: first.total },
  ]);
});

test("payouts: up to an earlier day, a vendor who was paid for later ones is left out, not overpaid", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [day] = days as [Day];
  await book(as);
  const later = await nextWeek(market, day, 1);
  await book(later);
  // The command says the same as the screen.
  expect(await payVendors(operator(market), { to: DAY_AFTER, dryRun: true })).toMatchObject({ paid: [], carried: [] });
  expect((await readDue(later, `?to=${DAY_AFTER}`)).lines).toEqual([]);
  expect(await readStatement(later, day.vendor.id, `?to=${DAY_AFTER}`)).toMatchObject({
    paidTo: WEEK_AFTER,
    sales: 0,
    earlier: 0,
    due: 0,
  });
});

test("payouts: a vendor who was paid too much for a day is overpaid up to that day also a week later, on the screen and for the command", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [day] = days as [Day];
  await book(as);
  await comesShort(market, day, 1, 3);
  market.clock.set(noon(WEEK_AFTER));
  const later = await staffOf(market, "bookkeeper");
  for (const to of [DAY_AFTER, WEEK_AFTER]) {
    const { carried } = await payVendors(operator(market), { to, dryRun: true });
    expect([to, carried]).toMatchObject([to, [{ id: day.vendor.id }]]);
    expect(carried[0]!.due_cents).toBeLessThan(0);
    const { lines } = await readDue(later, `?to=${to}`);
    expect(lines.map(({ vendor, due }) => [vendor.id, Math.round(due * 100)])).toEqual([
      [day.vendor.id, carried[0]!.due_cents],
    ]);
  }
});

test("payouts: a day that closes after its vendor was paid for another one is listed as sales, not as from days before", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [{ vendor }] = days as [Day];
  await shortDay(market, [[2]], { isOpen: true, vendorId: vendor.id });
  market.clock.set(noon(DAY_AFTER));
  await book(as);
  market.clock.advance(60_000);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps: market.deps });
  const { lines } = await readDue(as);
  expect(lines).toMatchObject([{ vendor: { id: vendor.id }, sales: 14, earlier: 0 }]);
  expect(await readStatement(as, vendor.id)).toMatchObject({ items: [{ quantity: 2, amount: 14 }], sales: 14 });
});

test("payouts: a day that was paid after a payout that reaches further is not listed again", async () => {
  const market = await buildTestApp();
  const { days } = await closedDays(market, [3]);
  const [day] = days as [Day];
  await payVendors(operator(market), { to: "2026-12-31", dryRun: false });
  const later = await nextWeek(market, day, 1);
  expect((await readDue(later)).lines).toMatchObject([{ sales: 7, earlier: 0 }]);
  await book(later);
  await comesShort(market, day, 1, 3);
  // Overpaid by now, and paid up to a later day: that is shown.
  const { lines } = await readDue(later);
  expect(lines).toMatchObject([{ sales: 0, commission: 0 }]);
  expect(lines[0]!.earlier).toBe(lines[0]!.due);
  expect(lines[0]!.due).toBeLessThan(0);
});

test("payouts: a date after the market's is refused with what to do, and nothing is booked", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [{ vendor }] = days as [Day];
  const { lines } = await readDue(as);
  const to = "2026-11-28";
  const answers = [
    await as.get(`/payouts/due?to=${to}`),
    await as.get(`/payouts/due/${vendor.id}?to=${to}`),
    await as.post("/payouts", { to, amounts: amountsOf(lines) }),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      400,
      [
        "Choose a date up to today, Friday, November 27, 2026: deliveries after it can still change. The command `ledger payouts` with --include-future pays for them.",
        { code: "future", field: "to" },
      ],
    ]);
  expect(await bookings(market)).toBe(0);
});

test("payouts: amounts that are not what is due are refused, and nothing is booked", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3], [2]);
  const { to, lines } = await readDue(as);
  const amounts = amountsOf(lines);
  await comesShort(market, days[0]!, 1, 3);
  const now = amountsOf((await readDue(as)).lines);
  for (const stale of [amounts, now.slice(1), [...now, now[0]!], [{ ...now[0]!, vendorId: 2_000_000 }, now[1]!]]) {
    const { status, body } = await as.post("/payouts", { to, amounts: stale });
    expect([status, body]).toEqual([
      409,
      [
        "What vendors are owed has changed since it was listed. Nothing was booked: run it again.",
        { code: "amounts_changed" },
      ],
    ]);
  }
  for (const amount of [0, -1, 1.005, 0.1 + 0.2])
    expect((await as.post("/payouts", { to, amounts: [{ vendorId: 1, amount }] })).status).toBe(400);
  expect([await bookings(market), await mailsOf(market, "vendor-payout")]).toEqual([0, 0]);
  // Their order does not matter.
  expect((await as.post("/payouts", { to, amounts: now.toReversed() })).status).toBe(200);
});

test("payouts: approved by two people at once, it is one payout with one mail", { tags: ["fail:N12"] }, async () => {
  const market = await buildTestApp();
  const { as } = await closedDays(market, [3]);
  const other = await staffOf(market, "owner");
  const { to, lines, total } = await readDue(as);
  const body = { to, amounts: amountsOf(lines) };
  const answers = await Promise.all([as, other].map((person) => person.post("/payouts", body)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)!.body[1]).toEqual({ code: "amounts_changed" });
  expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({ vendors: 1, total });
  expect([await bookings(market), await mailsOf(market, "vendor-payout")]).toEqual([1, 1]);
  expect(await market.audit()).toEqual([]);
});

test(
  "payouts: a repeated request gets its own payout, also when its server died after the booking",
  { tags: ["fail:N12"] },
  async () => {
    const points = failpoints();
    const market = await buildTestApp({ overrides: { failpoint: points.at } });
    const { as } = await closedDays(market, [3]);
    const { to, lines, total } = await readDue(as);
    const sendAs = async (person: Person, key: string, amounts = amountsOf(lines)) => {
      const answer = await market.app.inject({
        method: "POST",
        url: "/api/admin/payouts",
        headers: { cookie: person.cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
        payload: { to, amounts },
      });
      return { status: answer.statusCode, body: answer.json(), replayed: answer.headers["idempotent-replayed"] };
    };
    const send = (key: string) => sendAs(as, key);
    const key = randomUUID();
    points.plan["payout:booked"] = "throw";
    expect((await send(key)).status).toBe(500);
    delete points.plan["payout:booked"];
    // With another request, and of another person.
    const other = await sendAs(as, key, [{ vendorId: lines[0]!.vendor.id, amount: 0.01 }]);
    expect([other.status, other.body[1].code]).toEqual([422, "key_reused"]);
    const theirs = await sendAs(await staffOf(market, "owner"), key);
    expect([theirs.status, theirs.body[1].code]).toEqual([409, "amounts_changed"]);
    const repeated = await send(key);
    expect(repeated).toEqual({ status: 200, body: { payout: expect.any(Number), vendors: 1, total } });
    expect(await send(key)).toEqual({ ...repeated, replayed: "true" });
    // Of another tab.
    expect((await send(randomUUID())).body[1]).toEqual({ code: "amounts_changed" });
    expect([await bookings(market), await mailsOf(market, "vendor-payout")]).toEqual([1, 1]);
  },
);

test(
  "payouts: a request that is repeated after its part was reversed gets its own payout, and pays nothing again",
  { tags: ["fail:N12"] },
  async () => {
    const points = failpoints();
    const market = await buildTestApp({ overrides: { failpoint: points.at } });
    const { days, as } = await closedDays(market, [3]);
    const { to, lines } = await readDue(as);
    const headers = { cookie: as.cookie, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() };
    const payload = { to, amounts: amountsOf(lines) };
    const send = () => market.app.inject({ method: "POST", url: "/api/admin/payouts", headers, payload });
    points.plan["payout:booked"] = "throw";
    expect((await send()).statusCode).toBe(500);
    delete points.plan["payout:booked"];
    const { id } = await market.db.ledger_transaction.findFirstOrThrow({ where: { kind: "payout" } });
    expect(await reverse(as, id, days[0]!.vendor.id)).toMatchObject({ status: 200 });
    const repeated = await send();
    expect([repeated.statusCode, repeated.json().payout]).toEqual([200, id]);
    expect([await bookings(market), await mailsOf(market, "vendor-payout")]).toEqual([2, 1]);
  },
);

test("payouts: a manager reads them and pays none, a lead and a bookkeeper of one market see none, and an old proof of identity pays none", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3]);
  const [{ vendor, hub }] = days as [Day];
  const { to, lines } = await readDue(as);
  const body = { to, amounts: amountsOf(lines) };
  const manager = await staffOf(market, "manager");
  expect((await readDue(manager)).lines).toEqual(lines);
  const lead = await staffOf(market, { role: "hub_lead", hubId: hub.id });
  const ofOne = await staffOf(market, { role: "bookkeeper", hubId: hub.id });
  for (const person of [manager, lead, ofOne]) {
    expect(await person.post("/payouts", body)).toMatchObject({ status: 403 });
    expect(await reverse(person, 1, vendor.id)).toMatchObject({ status: 403 });
  }
  for (const person of [lead, ofOne])
    for (const url of ["/payouts", "/payouts/due", `/payouts/due/${vendor.id}`, "/payouts/1", "/payouts/1/file"])
      expect([url, (await person.get(url)).status]).toEqual([url, 403]);
  await market.db.staff_session.updateMany({
    where: { staff_id: as.person.id },
    data: { stepped_up_at: new Date(market.clock.now().getTime() - STAFF_SESSION.stepUpMs - 1) },
  });
  await market.waitForNotifications();
  for (const { status, body: answer } of [await as.post("/payouts", body), await reverse(as, 1, vendor.id)])
    expect([status, answer[1].code]).toEqual([403, "step_up_required"]);
  expect(await bookings(market)).toBe(0);
});

test(
  "payouts: the bank's file has the parts that were not reversed, formulas as text, and is in the audit log",
  { tags: ["fail:N12"] },
  async () => {
    const market = await buildTestApp();
    const { days, as } = await closedDays(market, [3], [2]);
    const [first, second] = days as [Day, Day];
    await market.db.vendor.update({ where: { id: second.vendor.id }, data: { name: '=HYPERLINK("http://evil")' } });
    const { lines } = await readDue(as);
    const { payout } = await book(as);
    await reverse(as, payout, first.vendor.id);
    const get = (method: "GET" | "HEAD") =>
      market.app.inject({ method, url: `/api/admin/payouts/${payout}/file`, headers: { cookie: as.cookie } });
    const answer = await get("GET");
    expect([
      answer.statusCode,
      answer.headers["content-type"],
      answer.headers["content-disposition"],
      answer.headers["cache-control"],
    ]).toEqual([200, "text/csv; charset=utf-8", `attachment; filename="payout-${payout}.csv"`, "no-store"]);
    const { due } = lines.find(({ vendor }) => vendor.id === second.vendor.id)!;
    expect(answer.body).toBe(
      `\uFEFFvendor,name,email,amount,payout\n${second.vendor.slug},"'=HYPERLINK(""http://evil"")",farm@example.com,${due.toFixed(2)},${payout}\n`,
    );
    expect((await get("HEAD")).statusCode).toBe(404);
    expect(await market.db.audit_entry.findMany({ where: { action: "ledger file" } })).toMatchObject([
      { actor: `staff:${as.person.email}`, subject: `payout:${payout}`, data: { count: 1 } },
    ]);
  },
);

test("payouts: more vendors and payouts need no more statements, and pages are of the newest", async () => {
  const market = await buildTestApp();
  const { days, as } = await closedDays(market, [3], [2], [1]);
  const count = async (url: string) => {
    const { statements, answer } = await counted(market, () => as.get(url));
    expect([url, answer.status]).toEqual([url, 200]);
    return statements.filter((text) => !text.includes("staff_session")).length;
  };
  expect(await count("/payouts/due")).toBeLessThanOrEqual(3);
  const payouts: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { payout } = await book(as);
    payouts.unshift(payout);
    if (n === 0) expect(await count("/payouts")).toBe(1);
    for (const { vendor } of days) await reverse(as, payout, vendor.id);
  }
  expect(await count("/payouts")).toBe(1);
  expect(await count("/payouts/due")).toBeLessThanOrEqual(3);
  expect(await count(`/payouts/${payouts[0]}`)).toBeLessThanOrEqual(4);
  const { body, headers } = await as.get("/payouts?page=2&perPage=2");
  expect([body.map(({ id }: { id: number }) => id), headers["x-total-results"]]).toEqual([[payouts[2]], "3"]);
  // Every payout was reversed.
  expect((await readDue(as)).last).toBeNull();
});
