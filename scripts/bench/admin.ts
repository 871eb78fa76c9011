import { randomUUID } from "node:crypto";

import { countStatements, createDb, type Db } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { buildApp } from "@marketday/server/app";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";
import { staffTokens } from "@marketday/server/lib/tokens";
import { findDoor } from "@marketday/server/modules/door/door-sql";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { insertStaffSession } from "@marketday/server/modules/identity/staff-session-store";
import { findDayBoxes } from "@marketday/server/modules/orders/day-boxes-sql";
import { findOrderBox } from "@marketday/server/modules/orders/order-box-sql";
import { findOrdersForSupport } from "@marketday/server/modules/orders/support-sql";
import { findShareBoxes, findShortDay } from "@marketday/server/modules/shorts/day-items-sql";
import { findShortages } from "@marketday/server/modules/shorts/store";
import { findOpenActions } from "@marketday/server/modules/staff-actions/store";
import { findBoard } from "@marketday/server/modules/today/board-sql";
import { findCounts } from "@marketday/server/modules/today/counts-sql";

import { ADMIN_SIZE, openAdminMarket } from "./admin-market.ts";
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
    const { hubs, boxes, people, lines } = ADMIN_SIZE;
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
    ];
    const rows: Row[] = [];
    for (const page of pages) rows.push(...(await measure(page)));
    return rows;
  } finally {
    await app.close();
    deps.clock.stop();
    await deps.db.close();
    await bare.close();
  }
}
