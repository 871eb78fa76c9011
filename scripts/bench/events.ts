import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

import { createDb } from "@marketday/db";
import { staffTokens } from "@marketday/server/lib/tokens";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { insertStaffSession } from "@marketday/server/modules/identity/staff-session-store";

import { startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

/** Pages of the staff: of 50 sessions, four each. */
const SESSIONS = 50;
const PAGES = 200;
const LIMIT_MIB = 20;

/** Memory of a server with 200 open pages of the staff, and the time in which a change of an order reaches all of them (N15). */
export async function benchEvents(market: BenchMarket): Promise<Row[]> {
  const secret = randomUUID() + randomUUID();
  const server = await startChild("child-main.ts", { ...market.env, SESSION_SECRET: secret });
  const db = createDb({ url: market.env["DATABASE_URL"]! });
  const opened: ReturnType<typeof request>[] = [];
  try {
    const now = new Date();
    const { id } = await db.staff.create({
      data: {
        email: `${randomUUID()}@example.com`,
        name: "Ada",
        created_at: now,
        grants: { create: { role: "owner" } },
      },
    });
    const tokens = staffTokens([secret]);
    const cookies = Array.from({ length: SESSIONS }, () => randomUUID());
    for (const session of cookies)
      await insertStaffSession(db, { id: session, staffId: asStaffId(id), userAgent: "bench", now });
    const before = await server.memory();
    const received = new Map<number, Set<string>>();
    const connect = async (page: number) => {
      const sent = request(`${server.address}/api/admin/events`, {
        headers: { cookie: `mkt_staff=${tokens.sign(cookies[page % SESSIONS]!)}` },
        agent: false,
      }).end();
      opened.push(sent);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      if (response.statusCode !== 200) throw new Error(`an event stream was refused: ${response.statusCode}`);
      const names = new Set<string>();
      received.set(page, names);
      response.setEncoding("utf8").on("data", (text: string) => {
        for (const [, name] of text.matchAll(/^event: (\w+)$/gm)) names.add(name!);
      });
      response.on("error", () => undefined);
    };
    for (let page = 0; page < PAGES; page += 1) await connect(page);
    const waitForAll = async (name: string) => {
      const start = performance.now();
      while ([...received.values()].some((names) => !names.has(name)))
        await new Promise((resolve) => setTimeout(resolve, 5));
      return performance.now() - start;
    };
    await waitForAll("ready");
    const more = (await server.memory()) - before;
    const order = await db.order.findFirstOrThrow();
    await db.order.update({ where: { id: order.id }, data: { delivery_notes: order.delivery_notes } });
    const ms = Math.round(await waitForAll("orders"));
    const mebibytes = more / 2 ** 20;
    return [
      {
        what: `memory of ${PAGES} open pages of the staff`,
        value: `${mebibytes.toFixed(1)} MiB more`,
        wanted: `≤ ${LIMIT_MIB} MiB`,
        good: mebibytes <= LIMIT_MIB,
      },
      { what: `a change of an order to all ${PAGES} pages`, value: `${ms} ms`, wanted: "", good: true },
    ];
  } finally {
    for (const each of opened) each.on("error", () => undefined).destroy();
    await server.stop();
    await db.close();
  }
}
