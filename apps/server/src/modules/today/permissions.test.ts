import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { storeBackup, storeChecks } from "../health/stored-health.ts";

const market = await buildTestApp();
const { db } = market;
const NOW = new Date(MONDAY);
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const [carmel, lawrence] = [await createHub(db, { name: "Carmel" }), await createHub(db, { name: "Lawrence" })];
const EMPTY = { count: 0, amount: null, at: null, level: "quiet" };

/** In each hub: a declined card, an open problem, a question and a message of two days ago and of an hour ago, a watched sold-out item. */
async function fill(hub: typeof carmel): Promise<void> {
  const eggs = await createProduct(db, hub.id, { inventory: 1 });
  const shopper = await signIn(market, { hubId: hub.id });
  const customer_id = shopper.customer.id;
  const order = await createOrder(db, { customerId: customer_id, hub, product: eggs });
  await db.order.update({ where: { id: order.id }, data: { charge_failed_at: ago(1), charge_error: "declined" } });
  await db.problem_report.create({
    data: { order_id: order.id, customer_id, message: "The jar was broken.", created_at: ago(25) },
  });
  for (const hours of [48, 1]) {
    await db.question.create({
      data: { customer_id, product_id: eggs.id, question: "Local?", created_at: ago(hours) },
    });
    await db.thread.create({
      data: {
        customer_id,
        vendor_id: (await createProduct(db, hub.id)).vendor_id,
        messages: { create: { sender: "C", message: "Hello", created_at: ago(hours) } },
      },
    });
  }
  await db.question.create({
    data: {
      customer_id,
      product_id: eggs.id,
      question: "Big?",
      answer: "Yes",
      answered_at: ago(1),
      created_at: ago(50),
    },
  });
  await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { inventory: 0 } });
  await db.cart.create({
    data: {
      customer_id,
      items: { create: { variant_id: eggs.variant.id, quantity: 1, watching: true, seen_price_cents: 650 } },
    },
  });
}
await fill(carmel);
await fill(lawrence);
await db.lead.createMany({
  data: (
    [
      ["vendor", 1],
      ["driver", 24 * 6],
      ["job", 24 * 8],
      ["contact", 1],
    ] as const
  ).map(([kind, hours]) => ({
    kind,
    email: `${kind}@example.com`,
    created_at: ago(hours),
  })),
});
// Applications that the staff answered or closed in the inbox.
for (const state of [{ answered_at: NOW }, { closed_at: NOW }]) {
  const { id } = await db.lead.create({ data: { kind: "vendor", email: "done@example.com", created_at: ago(2) } });
  await db.inbox_state.create({ data: { kind: "application", item_id: id, ...state } });
}

type Count = {
  key: string;
  count: number | null;
  amount: number | null;
  at: string | null;
  level: string;
  command: string | null;
};
async function boardOf(...grants: Parameters<typeof staffOf> extends [unknown, ...infer G] ? G : never) {
  const { status, body } = await (await staffOf(market, ...grants)).get("/today");
  expect(status, JSON.stringify(body)).toBe(200);
  const counts = Object.values(body.counts as Record<string, Count[]>).flat();
  return { body, keys: counts.map(({ key }) => key), of: (key: string) => counts.find((each) => each.key === key) };
}
const hubsOf = ({ body }: Awaited<ReturnType<typeof boardOf>>) =>
  body.rows.map(({ hub }: { hub: { name: string } }) => hub.name);

test("counts: of an owner, each with its number, since when the oldest waits, how loud it is, and the command that lists it; an application that was answered or closed is not counted", async () => {
  const { body, of } = await boardOf("owner");
  expect(hubsOf({ body } as never)).toEqual(["Carmel", "Lawrence"]);
  expect(of("problems_open")).toMatchObject({
    count: 2,
    at: ago(25).toISOString(),
    level: "late",
    command: "problems list",
  });
  expect(of("questions_waiting")).toMatchObject({
    count: 2,
    at: ago(48).toISOString(),
    level: "late",
    command: "inbox list",
  });
  expect(of("messages_waiting")).toMatchObject({
    count: 2,
    at: ago(48).toISOString(),
    level: "late",
    command: "inbox list",
  });
  expect(of("applications_new")).toMatchObject({ count: 2, level: "quiet", command: "applications list" });
  expect(of("sold_out_watched")).toMatchObject({ count: 2, level: "quiet", command: "stock watched" });
  expect(of("cards_declined")).toMatchObject({ count: 2, at: ago(1).toISOString(), level: "due", command: "doctor" });
  expect(of("to_collect")).toMatchObject({ count: 2, amount: 13, level: "due", command: "orders list --owing" });
  expect(of("refunds_waiting")).toMatchObject({ ...EMPTY, command: "refunds list" });
  expect(of("disputes_open")).toMatchObject({ ...EMPTY, command: "disputes list" });
  expect(of("payouts_due")).toMatchObject({ count: 0, amount: 0, command: "ledger payouts --to 2026-11-23 --dry-run" });
  expect(of("jobs_failed")).toMatchObject({ ...EMPTY, command: "doctor" });
  expect(of("mails_waiting")).toMatchObject({ command: "jobs run --dry-run" });
});

test("a hub lead: only the own hub is there, and counts of the whole market are not", async () => {
  const board = await boardOf({ role: "hub_lead", hubId: carmel.id });
  expect(hubsOf(board)).toEqual(["Carmel"]);
  expect(board.keys).toEqual([
    "shorts_to_settle",
    "problems_open",
    "questions_waiting",
    "messages_waiting",
    "sold_out_watched",
    "cards_declined",
    "to_collect",
    "refunds_waiting",
    "disputes_open",
  ]);
  for (const key of ["problems_open", "questions_waiting", "messages_waiting", "sold_out_watched", "cards_declined"])
    expect(board.of(key), key).toMatchObject({ count: 1 });
  expect(board.of("to_collect")).toMatchObject({ count: 1, amount: 6.5 });
});

test("a hub that is requested: only its rows and counts; 404 for one that there is not, or that the person may not see", async () => {
  const owner = await staffOf(market, "owner");
  for (const key of [lawrence.slug, String(lawrence.id)]) {
    const { body } = await owner.get(`/today?hub=${key}`);
    expect(body.rows.map(({ hub }: { hub: { id: number } }) => hub.id)).toEqual([lawrence.id]);
    expect(body.counts.attention[1]).toMatchObject({ key: "problems_open", count: 1 });
  }
  expect((await owner.get("/today?hub=atlantis")).status).toBe(404);
  const lead = await staffOf(market, { role: "hub_lead", hubId: carmel.id });
  expect((await lead.get(`/today?hub=${lawrence.slug}`)).status).toBe(404);
  expect((await lead.get(`/today?hub=${carmel.slug}`)).status).toBe(200);
});

test("roles: each gets the counts that its permissions allow; an editor gets none, and no one without a session", async () => {
  const inbox = ["problems_open", "questions_waiting", "messages_waiting"];
  const money = ["cards_declined", "to_collect", "refunds_waiting", "disputes_open"];
  const system = ["checks_failed", "mails_waiting", "jobs_failed", "backup_age"];
  expect((await boardOf("manager")).keys).toEqual([
    "shorts_to_settle",
    ...inbox,
    "applications_new",
    "sold_out_watched",
    ...money,
    "payouts_due",
    ...system,
  ]);
  expect((await boardOf("support")).keys).toEqual(["shorts_to_settle", ...inbox, ...money]);
  expect((await boardOf("bookkeeper")).keys).toEqual([...money, "payouts_due", ...system]);
  expect((await boardOf("auditor")).keys).toEqual([...money, "payouts_due", ...system]);
  expect((await boardOf("depot_lead")).keys).toEqual(["shorts_to_settle"]);
  expect((await (await staffOf(market, "editor")).get("/today")).status).toBe(403);
  expect((await market.app.inject("/api/admin/today")).statusCode).toBe(401);
});

test("the next thing to do: of each role what it may do, and no amount for who may see no money", async () => {
  const own = await buildTestApp();
  const hub = await createHub(own.db);
  const eggs = await createProduct(own.db, hub.id);
  const shopper = await signIn(own, { hubId: hub.id });
  const order = await createOrder(own.db, { customerId: shopper.customer.id, hub, product: eggs });
  await own.db.order.update({ where: { id: order.id }, data: { status: "pending", charge_failed_at: NOW } });
  own.clock.set("2026-11-26T12:00:00Z");
  const run = { state: "done", lease_until: NOW, started_at: NOW, done_at: NOW };
  await own.db.delivery_run.createMany({
    data: ["open", "auto_checkout", "cutoff"].map((step) => ({ ...run, step, delivery_id: hub.deliveries[0]!.id })),
  });
  await own.db.delivery_run.create({ data: { ...run, step: "open", delivery_id: hub.deliveries[1]!.id } });
  const nextOf = async (role: "hub_lead" | "support" | "bookkeeper" | "auditor" | "depot_lead") => {
    const { body } = await (await staffOf(own, { role, hubId: hub.id })).get("/today");
    const { kind, amount } = body.rows[0].next;
    return [kind, amount, body.mostUrgent];
  };
  expect(await nextOf("hub_lead")).toEqual(["create_sheets", null, 0]);
  expect(await nextOf("depot_lead")).toEqual(["create_sheets", null, 0]);
  expect(await nextOf("support")).toEqual(["collect_at_door", 6.5, 0]);
  expect(await nextOf("bookkeeper")).toEqual(["nothing", null, null]);
  expect(await nextOf("auditor")).toEqual(["nothing", null, null]);
  await own.db.snapshot.create({
    data: {
      delivery_id: hub.deliveries[0]!.id,
      hub_id: hub.id,
      day: new Date("2026-11-26"),
      hub_name: "",
      time_zone: "UTC",
      cutoff_at: NOW,
      frozen_at: NOW,
      route_plan: { create: { drivers: 1, routes: [], planned_at: NOW } },
    },
  });
  const depot = await staffOf(own, { role: "depot_lead", hubId: hub.id });
  const { body } = await depot.get("/today");
  expect(JSON.stringify(body)).not.toMatch(/"amount":\d/);
});

test("health: what the last checks and the last backup left, loud when it is old", async () => {
  const health = async () => {
    const { body, of } = await boardOf("owner");
    return { health: body.health, checks: of("checks_failed"), backup: of("backup_age") };
  };
  expect(await health()).toMatchObject({
    health: { failed: null, checkedAt: null, lastBackupAt: null },
    checks: { count: null, level: "due", at: null, command: "doctor" },
    backup: { level: "due", at: null, command: "backup" },
  });
  await storeChecks(db, [], ago(3));
  await storeBackup(db, ago(26), "/backups");
  expect(await health()).toMatchObject({ checks: { count: 0, level: "due" }, backup: { level: "due" } });
  await storeChecks(db, [], ago(2));
  await storeBackup(db, ago(25), "/backups");
  expect(await health()).toMatchObject({
    health: { failed: 0, checkedAt: ago(2).toISOString(), lastBackupAt: ago(25).toISOString() },
    checks: { count: 0, level: "quiet", at: ago(2).toISOString() },
    backup: { count: null, level: "quiet", at: ago(25).toISOString() },
  });
  // An older result that comes later changes nothing.
  await storeChecks(db, ["V1: a"], ago(3));
  expect(await health()).toMatchObject({ health: { failed: 0, checkedAt: ago(2).toISOString() } });
  await storeChecks(db, ["V1: a", "V2: b"], ago(1));
  await storeBackup(db, ago(50), "/backups");
  expect(await health()).toMatchObject({
    health: { failed: 2 },
    checks: { count: 2, level: "late" },
    backup: { level: "late" },
  });
});

test("work of the market that is stuck: mails that were due 15 minutes ago are late, those of a later day do not count, and jobs that failed are counted", async () => {
  const own = await buildTestApp();
  const mail = (key: string, created: Date, next_at: Date | null) => ({
    key,
    template: "password-reset",
    to_email: "a@example.com",
    data: {},
    created_at: created,
    next_at,
  });
  await own.db.mail.createMany({ data: [mail("a", ago(0.2), null), mail("b", ago(5), new Date(NOW.getTime() + 1))] });
  const counts = async () => (await (await staffOf(own, "owner")).get("/today")).body.counts.system as Count[];
  expect((await counts())[1]).toMatchObject({ key: "mails_waiting", count: 1, level: "due" });
  await own.db.mail.create({ data: mail("c", ago(0.25), null) });
  await own.db.job_failure.create({
    data: { job: "wagon-passes", subject: "pass 7", reason: "", since: ago(2), next_at: NOW },
  });
  expect(await counts()).toMatchObject([
    {},
    { key: "mails_waiting", count: 2, level: "late", at: ago(0.25).toISOString() },
    { key: "jobs_failed", count: 1, level: "due", at: ago(2).toISOString() },
    {},
  ]);
});
