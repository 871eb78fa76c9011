import { createDb, execute, query, queryOne, sql } from "@marketday/db";

import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

/** Runs of each side, one after the other in turns, so that both meet the same machine. */
const ROUNDS = 40;
const RUNS = 50;

const columns = { id: true, slug: true, name: true, city: true, state: true } as const;

/** The same plain reads and writes by hand and through Prisma's client (docs/decisions/0018). Times are ms. */
export async function benchClient(market: BenchMarket): Promise<Row[]> {
  const db = createDb({ url: market.databaseUrl });
  const at = new Date();
  const email = "bench@example.com";
  const works: Record<string, { byHand: () => Promise<unknown>; byClient: () => Promise<unknown> }> = {
    "one row by its id": {
      byHand: () => queryOne(db, sql`select id, slug, name, city, state from vendor where id = ${1}::int`),
      byClient: () => db.vendor.findUnique({ where: { id: 1 }, select: columns }),
    },
    "twenty rows": {
      byHand: () => query(db, sql`select id, slug, name, city, state from vendor order by id limit ${20}::int`),
      byClient: () => db.vendor.findMany({ orderBy: { id: "asc" }, take: 20, select: columns }),
    },
    "an insert": {
      byHand: () =>
        execute(
          db,
          sql`insert into lead (kind, email, name, zip_code, data, created_at) values ('zip', ${email}, '', '', '{}', ${at})`,
        ),
      byClient: () =>
        db.lead.create({
          data: { kind: "zip", email, name: "", zip_code: "", data: {}, created_at: at },
          select: { id: true },
        }),
    },
  };
  const time = async (work: () => Promise<unknown>) => {
    const before = performance.now();
    for (let run = 0; run < RUNS; run += 1) await work();
    return performance.now() - before;
  };
  try {
    const rows: Row[] = [];
    for (const [what, { byHand, byClient }] of Object.entries(works)) {
      let [hand, client] = [0, 0];
      await time(byHand);
      await time(byClient);
      for (let round = 0; round < ROUNDS; round += 1) {
        hand += await time(byHand);
        client += await time(byClient);
      }
      const each = (sum: number) => (sum / ROUNDS / RUNS).toFixed(3);
      const value = `${(client / hand).toFixed(1)} × by hand (${each(client)} : ${each(hand)} ms)`;
      rows.push({ what: `${what}, Prisma's client`, value, wanted: "", good: true });
    }
    return rows;
  } finally {
    await execute(db, sql`delete from lead where email = ${email}`);
    await db.close();
  }
}
