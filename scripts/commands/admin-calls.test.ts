import { randomUUID } from "node:crypto";

import { dateFromUtc } from "@marketday/domain/calendar-date";
import { addMs, Day } from "@marketday/domain/time";
import { payVendors } from "@marketday/server/modules/ledger/pay-vendors";
import { findBoxVersion } from "@marketday/server/modules/orders/box-version-sql";
import { buildTestApp } from "@marketday/server/testing/app";
import { createCustomer, createHubNow, createOrder, createProduct } from "@marketday/server/testing/factories";
import { createStaff, staffOf } from "@marketday/server/testing/staff";
import { beforeEach, expect, test } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { closedDay } from "../test/closed-day.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const app = await buildTestApp({ url: market.url, now: new Date().toISOString() });
const hub = await createHubNow(db);
beforeEach(async () => {
  await db.staff.updateMany({ where: { disabled_at: null }, data: { disabled_at: new Date() } });
  await app.waitForNotifications();
});

type Owner = Awaited<ReturnType<typeof staffOf>>;
type Person = Awaited<ReturnType<typeof createStaff>>;
/** A case in which a command and its admin call are both refused. */
interface Refusal<Target> {
  when: string;
  /** What is changed. */
  prepare: (as: Owner) => Promise<Target>;
  /** The command's arguments after its name. */
  args: (target: Target) => string[];
  call: (as: Owner, target: Target) => Promise<{ status: number; body: unknown }>;
}

/** No hub and no person has this id. */
const NO_ID = 2_000_000;
const roles = (role: string, hubId: number | null = null) => [{ role, hubId }];
const someone = () => createStaff(app, "editor");
const invited = (change: object) => async (as: Owner) =>
  as.post("/staff", { email: "cal@example.com", name: "Cal", roles: roles("editor"), ...change });
const invite = (email: string, name: string, role: string) => [email, "--name", name, "--role", role];
const change =
  (action: "disable" | "reset") =>
  async (as: Owner, { id, version }: Person) =>
    as.post(`/staff/${id}/${action}`, { expectedVersion: version });
const putRoles =
  (granted: object[]) =>
  async (as: Owner, { id, version }: Person) =>
    as.put(`/staff/${id}/roles`, { expectedVersion: version, roles: granted });
const lastOwner = async (as: Owner) => {
  const { id } = as.person;
  const passkey = {
    name: "Phone",
    public_key: Buffer.from([1]),
    counter: 0n,
    is_synced: false,
    created_at: new Date(),
  };
  await db.staff_passkey.create({ data: { ...passkey, id: `passkey-${id}`, staff_id: id } });
  return as.person;
};
const missing = async () => ({ ...(await someone()), id: NO_ID });

/** An order of a day that is closed, or is still open, and how it was paid. */
const orderOf = (status: "open" | "pending" | "cancelled", paid?: "by card") => async (): Promise<TestOrder> => {
  const own = await createHubNow(db);
  const product = await createProduct(db, own.id);
  const { id: customerId } = await createCustomer(db, { hubId: own.id, pepper: app.deps.env.pepper });
  const { id, order_total_cents: cents } = await createOrder(db, { customerId, hub: own, product });
  const paymentId = randomUUID();
  if (paid === "by card")
    await db.payment.create({
      data: {
        id: paymentId,
        customer_id: customerId,
        provider: "test",
        state: "captured",
        amount_cents: cents,
        captured_cents: cents,
        created_at: new Date(),
      },
    });
  await db.order.update({ where: { id }, data: { status, payment_id: paid === undefined ? null : paymentId } });
  const [day] = own.deliveries;
  return {
    id,
    variantId: product.variant.id,
    deliveryId: day!.id,
    url: `/hubs/${own.slug}/days/${dateFromUtc(day!.day)}/door/payments`,
  };
};
interface TestOrder {
  id: number;
  variantId: number;
  deliveryId: number;
  /** Where its money at the door is recorded. */
  url: string;
}
/** An order of a day whose orders are being charged at the moment. */
async function chargingOrder(): Promise<TestOrder> {
  const order = await orderOf("pending")();
  const run = { step: "cutoff", state: "running", started_at: new Date(), lease_until: addMs(new Date(), Day.ms) };
  await db.delivery_run.create({ data: { ...run, delivery_id: order.deliveryId } });
  return order;
}
const because = ({ id }: TestOrder) => [String(id), "--reason", "flood"];
const cancelled = async (as: Owner, { id }: TestOrder) =>
  as.post(`/orders/${id}/cancel`, {
    reason: "flood",
    refundTo: "card",
    expectedVersion: await findBoxVersion(db, id),
  });
const recorded = async (as: Owner, { id, url }: TestOrder) => as.post(url, { orderIds: [id], amount: 1 });
const charged = async (as: Owner, { id }: TestOrder) =>
  as.post(`/orders/${id}/charge`, { reason: "flood", expectedVersion: await findBoxVersion(db, id) });
const refundOf = ({ id }: TestOrder) => [String(id), "1.00", "--to", "credit", "--reason", "bruised"];
const refunded = async (as: Owner, { id }: TestOrder) =>
  as.post(`/orders/${id}/refund`, {
    amount: 1,
    to: "credit",
    bearer: null,
    reason: "bruised",
    expectedVersion: await findBoxVersion(db, id),
  });
const shortLineOf = ({ id, variantId }: TestOrder) => [String(id), `${variantId}=0/1`, "--reason", "frost"];
const shorted = async (as: Owner, { id, variantId }: TestOrder) =>
  as.post(`/orders/${id}/short`, {
    variantId,
    came: 0,
    of: 1,
    to: "credit",
    bearer: "vendor",
    reason: "frost",
    expectedVersion: await findBoxVersion(db, id),
  });
const delivered = async (as: Owner, { id }: TestOrder) => as.post("/bulk/deliver", { orderIds: [id] });
const undone = async (as: Owner, { id, url }: TestOrder) => as.post(`${url}/undo`, { orderId: id });

/**
 * The groups that have admin calls. "all": every command that writes has one. Otherwise the commands that have none yet: all others that
 * write have one, and a new command is in neither until it is decided.
 */
const GROUPS: Record<string, "all" | { without: readonly string[] }> = {
  staff: "all",
  vendors: { without: ["import", "link"] },
  orders: { without: ["undo-deliver", "write-off"] },
  short: "all",
  customers: "all",
  credit: "all",
  inbox: "all",
  problems: "all",
  ledger: "all",
};

/** Before any market of the tests delivered. */
const PAST_DAY = dateFromUtc(addMs(new Date(), -1000 * Day.ms));

/** A day of which eggs can come short. */
interface ShortDay {
  hub: string;
  day: string;
  vendor: string;
  variantId: number;
  url: string;
}
const shortDayOf = (slug: string, day: string, vendor: string, variantId: number): ShortDay => ({
  hub: slug,
  day,
  vendor,
  variantId,
  url: `/hubs/${slug}/days/${day}/shorts`,
});
const closed = await closedDay(market, { slug: "carmel", title: "Eggs", boxes: [[3], [2]] });
const closedShort = shortDayOf("carmel", closed.day, closed.vendor.slug, closed.product.variant.id);
/** The closed day as it was at first. */
async function closedAgain(): Promise<ShortDay> {
  await db.shortage.deleteMany({ where: { delivery_id: closed.deliveryId } });
  await db.order.updateMany({ where: { delivery_id: closed.deliveryId }, data: { written_off_at: null } });
  return closedShort;
}
/** A day that still takes orders. */
async function openDay(): Promise<ShortDay> {
  const own = await createHubNow(db);
  const product = await createProduct(db, own.id, { title: "Eggs" });
  const { id: customerId } = await createCustomer(db, { hubId: own.id, pepper: app.deps.env.pepper });
  await createOrder(db, { customerId, hub: own, product, quantity: 5 });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: product.vendor_id } });
  return shortDayOf(own.slug, dateFromUtc(own.deliveries[0]!.day), vendor.slug, product.variant.id);
}
/** The closed day, whose second box was written off. */
async function writtenOff(): Promise<ShortDay> {
  const day = await closedAgain();
  await db.order.update({ where: { id: closed.orders[1]![0]! }, data: { written_off_at: new Date() } });
  return day;
}
const countOf = ({ variantId }: ShortDay, came: number, of: number) => ({
  variantId,
  came,
  of,
  gets: null,
  refundTo: "credit",
  bearer: "vendor",
  reason: "frost",
});
const counted = async (as: Owner, day: ShortDay) => as.put(day.url, { ...countOf(day, 2, 5), expectedVersion: null });
const settled = async (as: Owner, day: ShortDay) => {
  const { body } = await counted(as, day);
  return as.post(`${day.url}/${body.shortages[0].id}/settle`, { expectedVersion: 1 });
};
const planned = (of: number) => async (as: Owner, day: ShortDay) => as.post(`${day.url}/plan`, countOf(day, 2, of));
const shortOf =
  (count: string) =>
  ({ hub: slug, day, vendor }: ShortDay) => [slug, day, vendor, "eggs", count, "--reason", "frost"];

/** A command with its refusals. */
const refusalsOf = <Target>(name: string, refusals: readonly Refusal<Target>[]) => ({
  name,
  refusals: refusals.map(({ when, prepare, args, call }) => ({
    when,
    /** Prepares the case: the command's arguments, and the call. */
    begin: async (as: Owner) => {
      const target = await prepare(as);
      return { args: args(target), call: () => call(as, target) };
    },
  })),
});

/** The commands of these groups that have an admin call, each with its refusals. */
const STAFF_REFUSALS: Record<string, Refusal<Person>[]> = {
  "staff invite": [
    {
      when: "an address on the staff",
      prepare: someone,
      args: ({ email }) => invite(email, "Cal", "editor"),
      call: (as, { email }) => invited({ email })(as),
    },
    {
      when: "no address",
      prepare: someone,
      args: () => invite("cal", "Cal", "editor"),
      call: invited({ email: "cal" }),
    },
    {
      when: "no name",
      prepare: someone,
      args: () => invite("cal@example.com", " ", "editor"),
      call: invited({ name: " " }),
    },
    {
      when: "an owner of one hub",
      prepare: someone,
      args: () => invite("cal@example.com", "Cal", `owner:${hub.slug}`),
      call: invited({ roles: roles("owner", hub.id) }),
    },
    {
      when: "an unknown hub",
      prepare: someone,
      args: () => invite("cal@example.com", "Cal", `editor:${NO_ID}`),
      call: invited({ roles: roles("editor", NO_ID) }),
    },
  ],
  "staff roles": [
    {
      when: "the last owner",
      prepare: lastOwner,
      args: ({ email }) => [email, "--role", "editor"],
      call: putRoles(roles("editor")),
    },
    {
      when: "an unknown hub",
      prepare: someone,
      args: ({ email }) => [email, "--role", `editor:${NO_ID}`],
      call: putRoles(roles("editor", NO_ID)),
    },
    {
      when: "no person",
      prepare: missing,
      args: ({ id }) => [String(id), "--role", "editor"],
      call: putRoles(roles("editor")),
    },
  ],
  "staff disable": [
    { when: "the last owner", prepare: lastOwner, args: ({ email }) => [email], call: change("disable") },
    { when: "no person", prepare: missing, args: ({ id }) => [String(id)], call: change("disable") },
  ],
  // The last owner is refused in the admin app only: at the machine the operator reads the new link.
  "staff reset": [{ when: "no person", prepare: missing, args: ({ id }) => [String(id)], call: change("reset") }],
};

const ORDER_REFUSALS: Record<string, Refusal<TestOrder>[]> = {
  "orders cancel": [{ when: "an order that is being charged", prepare: chargingOrder, args: because, call: cancelled }],
  "orders paid": [
    { when: "an order that is still open", prepare: orderOf("open"), args: ({ id }) => [String(id)], call: recorded },
    { when: "a cancelled order", prepare: orderOf("cancelled"), args: ({ id }) => [String(id)], call: recorded },
    {
      when: "an order that was paid by card",
      prepare: orderOf("pending", "by card"),
      args: ({ id }) => [String(id)],
      call: recorded,
    },
  ],
  "orders deliver": [
    { when: "an order that is still open", prepare: orderOf("open"), args: ({ id }) => [String(id)], call: delivered },
    { when: "a cancelled order", prepare: orderOf("cancelled"), args: ({ id }) => [String(id)], call: delivered },
  ],
  "orders charge": [
    { when: "an order that is still open", prepare: orderOf("open"), args: ({ id }) => [String(id)], call: charged },
    { when: "a cancelled order", prepare: orderOf("cancelled"), args: ({ id }) => [String(id)], call: charged },
  ],
  "orders refund": [
    { when: "a cancelled order", prepare: orderOf("cancelled"), args: refundOf, call: refunded },
    { when: "an order that is not paid", prepare: orderOf("pending"), args: refundOf, call: refunded },
  ],
  "orders short": [
    { when: "an order that is still open", prepare: orderOf("open"), args: shortLineOf, call: shorted },
    { when: "an order that is being charged", prepare: chargingOrder, args: shortLineOf, call: shorted },
  ],
  "orders undo-paid": [
    { when: "a cancelled order", prepare: orderOf("cancelled"), args: because, call: undone },
    { when: "an order that was paid by card", prepare: orderOf("pending", "by card"), args: because, call: undone },
  ],
};

/** A vendor of a day that takes orders. */
async function openVendor(): Promise<TestVendor> {
  const own = await createHubNow(db);
  const product = await createProduct(db, own.id);
  const { id: customerId } = await createCustomer(db, { hubId: own.id, pepper: app.deps.env.pepper });
  await createOrder(db, { customerId, hub: own, product, status: "open" });
  return { hub: own.slug, day: dateFromUtc(own.deliveries[0]!.day), id: product.vendor_id };
}
interface TestVendor {
  hub: string;
  day: string;
  id: number;
}
const noDelivery = async () => ({ ...(await openVendor()), day: PAST_DAY });
const ofDay = ({ hub, day }: TestVendor) => [hub, day];
const arrived = async (as: Owner, { hub, day, id }: TestVendor) =>
  as.put(`/hubs/${hub}/days/${day}/arrivals`, { vendorIds: [id] });
const confirmed = async (as: Owner, { hub, day, id }: TestVendor) =>
  as.put(`/hubs/${hub}/days/${day}/vendors/${id}`, { isConfirmed: true, expectedVersion: 0 });
const VENDOR_REFUSALS: Record<string, Refusal<TestVendor>[]> = {
  "vendors arrived": [
    { when: "a day that takes orders", prepare: openVendor, args: ofDay, call: arrived },
    { when: "a date without a delivery", prepare: noDelivery, args: ofDay, call: arrived },
  ],
  "vendors confirmed": [{ when: "a date without a delivery", prepare: noDelivery, args: ofDay, call: confirmed }],
};
const SHORT_REFUSALS: Record<string, Refusal<ShortDay>[]> = {
  short: [
    { when: "a day whose orders are not closed", prepare: openDay, args: shortOf("2/5"), call: settled },
    {
      when: "a date without a delivery",
      prepare: async () => ({
        ...closedShort,
        day: PAST_DAY,
        url: closedShort.url.replace(closed.day, PAST_DAY),
      }),
      args: shortOf("2/5"),
      call: planned(5),
    },
    { when: "a number that is not ordered", prepare: closedAgain, args: shortOf("2/9"), call: planned(9) },
    { when: "a box that was written off", prepare: writtenOff, args: shortOf("2/5"), call: planned(5) },
    {
      when: "a count that the app is about to settle",
      prepare: async (as) => {
        const day = await closedAgain();
        await settled(as, day);
        return day;
      },
      args: shortOf("2/5"),
      call: counted,
    },
  ],
};
/** A customer, who is deleted or has an order on its way. */
interface TestCustomer {
  id: number;
  email: string;
}
async function customerWho(is: "active" | "deleted" | "waiting"): Promise<TestCustomer> {
  const own = await createHubNow(db);
  const { id, email } = await createCustomer(db, { hubId: own.id, pepper: app.deps.env.pepper });
  if (is === "deleted")
    await db.customer.update({
      where: { id },
      data: { email: null, password_hash: null, first_name: "", last_name: "", zip_code: null, deleted_at: new Date() },
    });
  if (is === "waiting") {
    const product = await createProduct(db, own.id);
    await createOrder(db, { customerId: id, hub: own, product, status: "open" });
  }
  return { id, email: email! };
}
const given =
  (amount: number) =>
  async (as: Owner, { id }: TestCustomer) =>
    as.post(`/customers/${id}/credit`, { amount, reason: "late" });
const grantOf =
  (amount: string) =>
  ({ id }: TestCustomer) => [String(id), amount, "--reason", "late"];
const CUSTOMER_REFUSALS: Record<string, Refusal<TestCustomer>[]> = {
  "credit grant": [
    {
      when: "more than 1,000 dollars",
      prepare: () => customerWho("active"),
      args: grantOf("1000.01"),
      call: given(1000.01),
    },
    { when: "a deleted account", prepare: () => customerWho("deleted"), args: grantOf("5.00"), call: given(5) },
  ],
  "customers delete": [
    {
      when: "an order that is on its way",
      prepare: () => customerWho("waiting"),
      args: ({ id }) => [String(id), "--reason", "request"],
      call: async (as, { id, email }) => as.post(`/customers/${id}/delete`, { email, reason: "request" }),
    },
  ],
  // Refused for an unknown customer alone: the command also says how to find one.
  "customers export": [],
};
/** A question of a shopper; with an answer it waits for none. */
const questionOf = (answer: string | null) => async () => {
  const product = await createProduct(db, hub.id);
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: app.deps.env.pepper });
  return db.question.create({ data: { customer_id: customerId, product_id: product.id, question: "Ripe?", answer } });
};
const answerTo =
  (text: string) =>
  async (as: Owner, { id }: { id: number }) => {
    const { body } = await as.get(`/inbox/question/${id}`);
    return as.post(`/inbox/question/${id}/reply`, { text, expectedVersion: body.version });
  };
const TOO_LONG = "x".repeat(401);
const INBOX_REFUSALS: Record<string, Refusal<{ id: number }>[]> = {
  "inbox reply": [
    {
      when: "an answer that is too long",
      prepare: questionOf(null),
      args: ({ id }) => [`question:${id}`, TOO_LONG],
      call: answerTo(TOO_LONG),
    },
    {
      when: "a question that has another answer",
      prepare: questionOf("Yes."),
      args: ({ id }) => [`question:${id}`, "No."],
      call: answerTo("No."),
    },
  ],
  "problems close": [
    {
      when: "no report",
      prepare: async () => ({ id: NO_ID }),
      args: ({ id }) => [String(id), "--reason", "refunded"],
      call: (as, { id }) =>
        as.post(`/inbox/problem/${id}/close`, { isClosed: true, reason: "refunded", expectedVersion: "" }),
    },
  ],
};
/** A payout of the closed day's vendor, and a vendor who has no part in it. */
interface TestPart {
  payout: number;
  slug: string;
  vendorId: number;
}
const noPart = (payout: number | null) => async (): Promise<TestPart> => {
  const ctx = { now: new Date(), actor: { type: "operator", name: "ada" } as const, deps: app.deps };
  const booked = payout ?? (await payVendors(ctx, { to: closed.day, dryRun: false })).payout!;
  const product = await createProduct(db, hub.id);
  const { id: vendorId, slug } = await db.vendor.findUniqueOrThrow({ where: { id: product.vendor_id } });
  return { payout: booked, slug, vendorId };
};
const partReversed = async (as: Owner, { payout, vendorId }: TestPart) =>
  as.post(`/payouts/${payout}/vendors/${vendorId}/reverse`, { reason: "account closed" });
const partOf = ({ payout, slug }: TestPart) => [String(payout), slug, "--reason", "account closed"];
const LEDGER_REFUSALS: Record<string, Refusal<TestPart>[]> = {
  // The command lists what is due before it books it, and for later days has --include-future.
  "ledger payouts": [],
  "ledger reverse": [
    { when: "a vendor without a part", prepare: noPart(null), args: partOf, call: partReversed },
    { when: "no payout", prepare: noPart(NO_ID), args: partOf, call: partReversed },
  ],
};
const COMMANDS = [
  ...Object.entries(LEDGER_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(CUSTOMER_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(INBOX_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(VENDOR_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(SHORT_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(STAFF_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
  ...Object.entries(ORDER_REFUSALS).map(([name, refusals]) => refusalsOf(name, refusals)),
];

const line = await buildCommandLine(["--help"]);
const hasOption = (name: string, flag: string): boolean => {
  const [first, second] = name.split(" ");
  const group = line.commands.find((each) => each.name() === first);
  const found = second === undefined ? group : group?.commands.find((each) => each.name() === second);
  return found?.options.some(({ long }) => long === flag) ?? false;
};

test("admin calls: every command of these groups that writes has an admin call with the same refusals, or is listed as without", () => {
  const writing = line.commands
    .filter((group) => group.name() in GROUPS)
    .flatMap((group) =>
      group.commands.length > 0 ? group.commands.map((command) => `${group.name()} ${command.name()}`) : [group.name()],
    )
    .filter((name) => hasOption(name, "--dry-run"));
  const without = Object.entries(GROUPS).flatMap(([group, calls]) =>
    calls === "all" ? [] : calls.without.map((command) => `${group} ${command}`),
  );
  expect([...COMMANDS.map(({ name }) => name), ...without].toSorted()).toEqual(writing.toSorted());
});

test.each(COMMANDS.flatMap(({ name, refusals }) => refusals.map((each) => [name, each.when, each] as const)))(
  "%s: %s is refused by the command and the admin call in the same words",
  async (name, _when, { begin }) => {
    const as = await staffOf(app, "owner");
    const { args, call } = await begin(as);
    const { status, body } = await call();
    const [message] = body as [string];
    const yes = hasOption(name, "--yes") ? ["--yes"] : [];
    expect(await market.run(...name.split(" "), ...args, ...yes)).toEqual({
      code: 1,
      out: "",
      err: `${message}\n`,
    });
    expect([400, 404, 409]).toContain(status);
  },
);
