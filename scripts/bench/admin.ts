import { randomUUID } from "node:crypto";

import { countStatements, createDb } from "@marketday/db";
import { buildApp } from "@marketday/server/app";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";
import { staffTokens } from "@marketday/server/lib/tokens";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { insertStaffSession } from "@marketday/server/modules/identity/staff-session-store";
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

/**
 * `GET /api/admin/today` of an owner, compared with the bare SQL of the same facts: alternating rounds, the best of each, because other
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
    const byServer = async () => {
      const response = await app.inject({ method: "GET", url: "/api/admin/today", headers: { cookie } });
      if (response.statusCode !== 200) throw new Error(`GET /today: ${response.statusCode} ${response.body}`);
      return response.json<{ rows: unknown[] }>();
    };
    const all = { scope: "all", hub: null } as const;
    const scopes = { seen: all, shorts: all, inbox: all, stock: all, money: all, applications: true, system: true };
    const byHand = () =>
      Promise.all([findBoard(bare, { hubs: all, payouts: all }, now), findCounts(bare, scopes, now)]);

    const { rows } = await byServer();
    await byHand();
    const counting = countStatements(deps.db);
    await byServer();
    // The session is cached for a second.
    const statements = counting.stop().filter((text) => !text.includes("staff_session")).length;
    let [serverMs, bareMs] = [Infinity, Infinity];
    for (let round = 0; round < ROUNDS; round += 1) {
      bareMs = Math.min(bareMs, await timed(byHand));
      serverMs = Math.min(serverMs, await timed(byServer));
    }
    const { hubs, boxes, people } = ADMIN_SIZE;
    return [
      {
        what: `GET /api/admin/today, ${rows.length} days of ${hubs} hubs with ${boxes} boxes, ${people.toLocaleString("en-US")} people`,
        value: `${(serverMs / bareMs).toFixed(2)} × the bare SQL (${serverMs.toFixed(0)} : ${bareMs.toFixed(0)} ms)`,
        wanted: "≤ 3 ×",
        good: serverMs / bareMs <= 3,
      },
      {
        what: "GET /api/admin/today, besides the session",
        value: `${statements} statements`,
        wanted: "≤ 2",
        good: statements <= 2,
      },
    ];
  } finally {
    await app.close();
    deps.clock.stop();
    await deps.db.close();
    await bare.close();
  }
}
