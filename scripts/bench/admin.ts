import { randomUUID } from "node:crypto";

import { countStatements, createDb, type Db, execute, sql } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { OFFERS_MAX } from "@marketday/domain/offer-fields";
import { parseOfferQuery } from "@marketday/domain/offer-query";
import { parseOrderQuery } from "@marketday/domain/order-query";
import { buildApp } from "@marketday/server/app";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";
import { staffTokens } from "@marketday/server/lib/tokens";
import { findQueue } from "@marketday/server/modules/admin-inbox/queue-sql";
import { findAudit } from "@marketday/server/modules/audit-log/entries-sql";
import { findCustomerList } from "@marketday/server/modules/customers/customer-list-sql";
import { findCustomer } from "@marketday/server/modules/customers/customer-sql";
import { findDoor } from "@marketday/server/modules/door/door-sql";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { insertStaffSession } from "@marketday/server/modules/identity/staff-session-store";
import { findOffers } from "@marketday/server/modules/offers/offers-sql";
import { findListedBoxes } from "@marketday/server/modules/order-list/boxes-sql";
import { findOrderPage } from "@marketday/server/modules/order-list/list-sql";
import { findDayBoxes } from "@marketday/server/modules/orders/day-boxes-sql";
import { findOrderBox } from "@marketday/server/modules/orders/order-box-sql";
import { findOrdersForSupport } from "@marketday/server/modules/orders/support-sql";
import { findShareBoxes, findShortDay } from "@marketday/server/modules/shorts/day-items-sql";
import { findShortages } from "@marketday/server/modules/shorts/store";
import { findOpenActions } from "@marketday/server/modules/staff-actions/store";
import { findBoard } from "@marketday/server/modules/today/board-sql";
import { findCounts } from "@marketday/server/modules/today/counts-sql";

import { ADMIN_SIZE, openAdminMarket } from "./admin-market.ts";
import { benchAdminTable } from "./admin-table.ts";
import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

const ROUNDS = 20;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A call of the admin API, and the bare SQL of the same facts. */
interface Page {
  what: string;
  url: string;
  /** Of a POST; without it, it is a GET. */
  body?: object;
  /** Statements besides the session; 2 by default. */
  most?: number;
  byHand(): Promise<unknown>;
}

/** Filters of the orders list, and how long each may take, ms. */
const ORDER_FILTERS = [
  ["", 200],
  ["hub:hub-3 status:delivered", 200],
  ["vendor:vendor-7", 200],
  ["owes:yes", 200],
  ["ada", 100],
  ["(317) 555", 100],
  ["100 000 123", 100],
] as const;

/** The export of all boxes, read as it comes: how much the heap grows meanwhile. */
async function benchExport(app: Awaited<ReturnType<typeof buildApp>>, cookie: string): Promise<Row> {
  const response = await app.inject({
    url: "/api/admin/orders.csv",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    payloadAsStream: true,
  });
  const before = process.memoryUsage().heapUsed;
  let [lines, most] = [0, 0];
  for await (const part of response.stream() as AsyncIterable<Buffer>) {
    lines += part.toString().split("\n").length - 1;
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  const grown = most / 1024 / 1024;
  return {
    what: `GET /api/admin/orders.csv, ${lines.toLocaleString("en-US")} lines`,
    value: `${grown.toFixed(0)} MB more heap at most`,
    wanted: "≤ 100 MB",
    good: grown <= 100,
  };
}

/** 500 cells of the grid of products saved in one transaction, up and down again: the best of several. */
async function benchSave(app: Awaited<ReturnType<typeof buildApp>>, bare: Db, cookie: string): Promise<Row> {
  const offers = await bare.offer.findMany({ select: { id: true }, take: 500, orderBy: { id: "asc" } });
  let best = Infinity;
  for (let round = 0; round < 6; round += 1) {
    const [from, to] = round % 2 === 0 ? ["7.00", "7.25"] : ["7.25", "7.00"];
    const send = async () => {
      const response = await app.inject({
        method: "POST",
        url: "/api/admin/offers/cells",
        headers: { cookie, "sec-fetch-site": "same-origin" },
        payload: { cells: offers.map(({ id }) => ({ offerId: id, field: "price", from, to })) },
      });
      if (response.statusCode !== 200) throw new Error(`offers/cells: ${response.statusCode} ${response.body}`);
    };
    best = Math.min(best, await timed(send));
  }
  return {
    what: "POST /api/admin/offers/cells, 500 cells",
    value: `${best.toFixed(0)} ms`,
    wanted: "≤ 2000 ms",
    good: best <= 2000,
  };
}

/** The 95th percentile of 20 requests. */
async function p95(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work));
  return times.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1]!;
}

/** Two units of an item in each box of a day that is packed and was not declined. */
async function addShortItem(db: Db, deliveryId: number): Promise<{ variantId: number; orderIds: number[] }> {
  const orders = await db.order.findMany({
    where: { delivery_id: deliveryId, charge_failed_at: null },
    select: { id: true },
  });
  const line = await db.order_item.findFirstOrThrow({ where: { order: { delivery_id: deliveryId } } });
  const { id: variantId } = await db.variant.create({ data: { product: { connect: { id: 1 } }, title: "Dozen" } });
  const units = {
    variant_id: variantId,
    vendor_id: line.vendor_id,
    product_title: line.product_title,
    variant_title: "Dozen",
    quantity: 2,
    quantity_ordered: 2,
    list_price_cents: 700,
    unit_price_cents: 700,
    commission_ppm: 150_000,
  };
  await db.order_item.createMany({ data: orders.map(({ id }) => ({ ...units, order_id: id })) });
  return { variantId, orderIds: orders.map(({ id }) => id) };
}

/** Names, phones and cards of the people, and the statistics of them. */
async function addPeople(db: Db): Promise<void> {
  await execute(
    db,
    sql`update customer set first_name = initcap(substr(md5(id::text), 1, 7)), last_name = initcap(substr(md5('x' || id), 1, 9)), phone = '(317) 55' || to_char(id, 'FM00000')`,
  );
  await execute(
    db,
    sql`insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year)
        select id, 'test', 'bench ' || id, 'visa', lpad((id * 37 % 10000)::text, 4, '0'), 12, 2040 from customer`,
  );
  await execute(db, sql`analyze customer, payment_method`);
}

/** The list of people by each kind of text, and one person. */
function peoplePages(bare: Db, now: Date): Page[] {
  const people = `${ADMIN_SIZE.people.toLocaleString("en-US")} people`;
  const list = (what: string, text: string): Page => ({
    what: `GET /api/admin/customers by ${what}, ${people}`,
    url: `/customers?q=${encodeURIComponent(text)}`,
    byHand: () => findCustomerList(bare, { text, hubs: "all", hub: null, limit: 50, offset: 0 }),
  });
  return [
    list("nothing", ""),
    list("a part of a name", "c4c"),
    list("email", "person777@"),
    list("phone", "317 550 0777"),
    list("a card", "4242"),
    list("an order number", "100 000 777"),
    {
      what: `GET /api/admin/customers/:id, ${people}`,
      url: "/customers/777",
      byHand: () => findCustomer(bare, 777, "all", now),
    },
  ];
}

/**
 * Pages of the admin app as an owner reads them, compared with their bare SQL: alternating rounds, the best of each, because other
 * processes only make a round slower.
 */
export async function benchAdmin(market: BenchMarket): Promise<Row[]> {
  const now = new Date();
  const url = await openAdminMarket(market, now);
  const env = parseEnv({ ...process.env, ...market.env, DATABASE_URL: url });
  const deps = await createDeps(env, url, createLogger("silent", false));
  const app = await buildApp(deps);
  const bare = createDb({ url });
  try {
    const { id: staffId } = await deps.db.staff.create({
      data: { email: "ada@example.com", name: "Ada", created_at: now, grants: { create: { role: "owner" } } },
    });
    const session = { id: randomUUID(), staffId: asStaffId(staffId), userAgent: "bench", now };
    await insertStaffSession(deps.db, session);
    const cookie = `mkt_staff=${staffTokens(env.sessionSecrets).sign(session.id)}`;
    const measure = async (page: Page): Promise<Row[]> => {
      const { most = 2 } = page;
      const byServer = async () => {
        const response = await app.inject({
          method: page.body ? "POST" : "GET",
          url: `/api/admin${page.url}`,
          headers: { cookie, "sec-fetch-site": "same-origin" },
          ...(page.body && { payload: page.body }),
        });
        if (response.statusCode !== 200) throw new Error(`${page.url}: ${response.statusCode} ${response.body}`);
      };
      await byServer();
      await page.byHand();
      const counting = countStatements(deps.db);
      await byServer();
      // The session is cached for a second.
      const statements = counting.stop().filter((text) => !text.includes("staff_session")).length;
      let [serverMs, bareMs] = [Infinity, Infinity];
      for (let round = 0; round < ROUNDS; round += 1) {
        bareMs = Math.min(bareMs, await timed(page.byHand));
        serverMs = Math.min(serverMs, await timed(byServer));
      }
      return [
        {
          what: page.what,
          value: `${(serverMs / bareMs).toFixed(2)} × the bare SQL (${serverMs.toFixed(1)} : ${bareMs.toFixed(1)} ms)`,
          wanted: "≤ 3 ×",
          good: serverMs / bareMs <= 3,
        },
        {
          what: `${page.what.split(",")[0]}, besides the session`,
          value: `${statements} statements`,
          wanted: `≤ ${most}`,
          good: statements <= most,
        },
      ];
    };
    const all = { scope: "all", hub: null } as const;
    const scopes = { seen: all, shorts: all, inbox: all, stock: all, money: all, applications: true, system: true };
    const { hubs, boxes, people, weeks, lines, entries } = ADMIN_SIZE;
    const packed = await deps.db.delivery.findFirstOrThrow({
      where: { cutoff_at: { lte: now } },
      select: { id: true, day: true, hub: { select: { slug: true } }, orders: { select: { id: true }, take: 1 } },
      orderBy: [{ cutoff_at: "desc" }, { id: "asc" }],
    });
    const day = dateFromUtc(packed.day);
    const orderId = packed.orders[0]!.id;
    const short = await addShortItem(deps.db, packed.id);
    const shortDay = () => findShortDay(bare, packed.hub.slug, day, now);
    const pages: Page[] = [
      {
        what: `GET /api/admin/today, ${hubs} hubs with ${boxes} boxes, ${people.toLocaleString("en-US")} people`,
        url: "/today",
        byHand: () => Promise.all([findBoard(bare, { hubs: all, payouts: all }, now), findCounts(bare, scopes, now)]),
      },
      {
        what: `GET /api/admin/hubs/:hub/days/:date/boxes, ${boxes} boxes`,
        url: `/hubs/${packed.hub.slug}/days/${day}/boxes`,
        byHand: () => findDayBoxes(bare, packed.hub.slug, day),
      },
      {
        what: `GET /api/admin/hubs/:hub/days/:date/door, ${boxes} boxes`,
        url: `/hubs/${packed.hub.slug}/days/${day}/door`,
        byHand: () => findDoor(bare, packed.hub.slug, day),
      },
      {
        what: `GET /api/admin/orders/:id, ${lines} lines`,
        url: `/orders/${orderId}`,
        byHand: async () => {
          await findOrderBox(bare, orderId);
          await findOpenActions(bare, [`order:${orderId}`]);
        },
      },
      {
        what: `GET /api/admin/hubs/:hub/days/:date/shorts, ${boxes} boxes`,
        url: `/hubs/${packed.hub.slug}/days/${day}/shorts`,
        most: 3,
        byHand: async () => [await shortDay(), await findShortages(bare, packed.id)],
      },
      {
        what: `POST …/shorts/plan, an item that comes short in all of ${boxes} boxes`,
        url: `/hubs/${packed.hub.slug}/days/${day}/shorts/plan`,
        body: {
          variantId: short.variantId,
          came: 0,
          of: 2 * short.orderIds.length,
          gets: null,
          refundTo: "card",
          bearer: "vendor",
          reason: "",
        },
        most: 16,
        byHand: async () => {
          await shortDay();
          await findShareBoxes(bare, packed.id, short.variantId);
          await findOrdersForSupport(bare, short.orderIds);
        },
      },
      {
        what: "GET /api/admin/inbox, 9,000 messages and questions",
        url: "/inbox",
        byHand: () =>
          findQueue(
            bare,
            { view: "market", kind: null, assignee: null, text: "", hub: null },
            { reply: "all", moderate: "all", people: "all" },
            { offset: 0, rows: 50 },
            now,
          ),
      },
      ...["", "action=orders%20refund", "q=too%20ripe"].map((filter) => ({
        what: `GET /api/admin/audit?${filter}, ${entries.toLocaleString("en-US")} entries`,
        url: `/audit?${filter}`,
        byHand: () =>
          findAudit(
            bare,
            {
              scope: { actor: "staff:ada@example.com", hubs: "all", today: [], now },
              people: "all",
              filter: {
                zone: "UTC",
                ...(filter.startsWith("q") && { q: "too ripe" }),
                ...(filter.startsWith("action") && { action: "orders refund" }),
              },
              cursor: null,
              limit: 51,
              isShort: true,
            },
            10_001,
          ),
      })),
    ];
    const filterOf = (q: string) => ({ ...parseOrderQuery(q), hubs: all, people: "all" as const });
    for (const [q] of ORDER_FILTERS)
      pages.push({
        what: `GET /api/admin/orders?q=${q || "(all)"}, ${(hubs * boxes * (weeks + 2)).toLocaleString("en-US")} boxes`,
        url: `/orders?q=${encodeURIComponent(q)}`,
        byHand: async () =>
          findListedBoxes(bare, await findOrderPage(bare, filterOf(q), "-day", { rows: 50, offset: 0 })),
      });
    const offers = (hubs * ADMIN_SIZE.vendors * ADMIN_SIZE.products).toLocaleString("en-US");
    for (const q of ["", "hub:hub-3", "vendor:vendor-7", "has:watchers", "product 12"])
      pages.push({
        what: `GET /api/admin/offers?q=${q || "(all)"}, ${offers} offers`,
        url: `/offers?q=${encodeURIComponent(q)}`,
        byHand: () => findOffers(bare, { ...parseOfferQuery(q), hubs: all }, OFFERS_MAX, now),
      });
    await addPeople(deps.db);
    pages.push(...peoplePages(bare, now));
    const rows: Row[] = [];
    for (const page of pages) rows.push(...(await measure(page)));
    const browserEnv = { ...market.env, DATABASE_URL: url };
    rows.push(
      await benchAdminTable(browserEnv, cookie, {
        what: "table of 200 boxes",
        path: `/admin/days/${packed.hub.slug}/${day}/boxes`,
        answer: "/boxes",
        rows: 200,
        boxes: 200,
        limit: 500,
      }),
      await benchAdminTable(browserEnv, cookie, {
        what: `grid of ${OFFERS_MAX.toLocaleString("en-US")} offers`,
        path: "/admin/products",
        answer: "/offers",
        rows: 20,
        boxes: null,
        limit: 1000,
      }),
    );
    const get = (url: string) =>
      app.inject({ url: `/api/admin${url}`, headers: { cookie, "sec-fetch-site": "same-origin" } });
    for (const [q, most] of ORDER_FILTERS) {
      const ms = await p95(() => get(`/orders?q=${encodeURIComponent(q)}`));
      rows.push({
        what: `GET /api/admin/orders?q=${q || "(all)"}, p95`,
        value: `${ms.toFixed(0)} ms`,
        wanted: `≤ ${most} ms`,
        good: ms <= most,
      });
    }
    rows.push(await benchSave(app, bare, cookie));
    rows.push(await benchExport(app, cookie));
    return rows;
  } finally {
    await app.close();
    deps.clock.stop();
    await deps.db.close();
    await bare.close();
  }
}
