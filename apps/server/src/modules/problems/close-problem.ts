import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";

const Row = z.object({
  id: z.number(),
  order_id: z.number(),
  hub: z.string(),
  customer: z.string().nullable(),
  message: z.string(),
  status: z.string(),
  photos: z.array(z.string()),
  created_at: z.date(),
  /** Of the order's hub. */
  time_zone: z.string(),
});
export type ProblemRow = z.infer<typeof Row>;

/** Problem reports, open ones first, oldest first; with closed ones if `closedToo`. */
export const findProblems = (db: Conn, closedToo: boolean): Promise<ProblemRow[]> =>
  query(
    db,
    sql`select p.id, p.order_id, h.slug as hub, c.email as customer, p.message, p.status,
          coalesce((select array_agg(f.file order by f.id) from problem_photo f where f.report_id = p.id), '{}') as photos, p.created_at, h.time_zone
        from problem_report p join orders o on o.id = p.order_id join hub h on h.id = o.hub_id join customer c on c.id = p.customer_id
        where p.status = 'open' or ${closedToo} order by p.status desc, p.created_at, p.id`,
    Row,
  );

/** Closes a report and stores the reason. Idempotent. 404 for an unknown report. @returns whether it was open */
export async function closeProblem(ctx: Context, id: number, reason: string, dryRun = false): Promise<boolean> {
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const row = await queryOne<{ status: string; order_id: number }>(
      tx,
      sql`select status, order_id from problem_report where id = ${id}::int for update`,
    );
    if (!row) throw notFound();
    if (row.status === "closed") return false;
    await execute(tx, sql`update problem_report set status = 'closed', closed_at = ${ctx.now} where id = ${id}::int`);
    await writeAuditEntry(tx, ctx, {
      action: "problems close",
      subject: `order:${row.order_id}`,
      reason,
      data: { problemId: id },
    });
    return true;
  });
}
