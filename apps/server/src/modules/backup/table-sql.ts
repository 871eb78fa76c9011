import { execute, query, queryOne, raw, sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  key: z.array(z.string()),
  needs: z.array(z.string()),
});
export type Table = z.infer<typeof Table>;

/** Every table of the market with its columns, its key and the tables it refers to. Derived ones (search) are built again. */
export async function findTables(tx: AnyTx): Promise<Table[]> {
  const rows = await query(
    tx,
    sql`select c.relname::text as name,
          array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
          array(select a.attname::text from pg_index i cross join lateral unnest(i.indkey) with ordinality k (attnum, place) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
            where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
          array(select distinct f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations' order by c.relname`,
    Table,
  );
  return inOrder(rows.map((row) => ({ ...row, needs: row.needs.map((name) => name.replaceAll('"', "")) })));
}

/** Tables in an order in which each comes after those it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => needs.every((name) => !left.has(name)));
    if (ready.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...left.keys()].join(", ")}`);
    for (const table of ready) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

export const findMigrations = async (tx: AnyTx): Promise<string[]> =>
  (
    await query<{ name: string }>(
      tx,
      sql`select migration_name || ' ' || checksum as name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by 1`,
    )
  ).map(({ name }) => name);

const Sequence = z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() });
export async function findSequences(tx: AnyTx): Promise<z.infer<typeof Sequence>[]> {
  const names = await query<{ name: string }>(
    tx,
    sql`select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`,
  );
  const found: z.infer<typeof Sequence>[] = [];
  for (const { name } of names) {
    const [row] = await query(
      tx,
      sql`select ${name}::text as name, last_value::text as value, is_called as "isCalled" from ${raw(`"${name}"`)}`,
      Sequence,
    );
    if (row) found.push(row);
  }
  return found;
}

/** Names of tables with rows, except facts about this installation. */
export async function findFilled(tx: AnyTx, tables: readonly { name: string }[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of tables) {
    if (name === "market_fact" || name === "rate_limit") continue;
    const [row] = await query<{ hasRows: boolean }>(
      tx,
      sql`select exists (select 1 from ${raw(`"${name}"`)}) as "hasRows"`,
    );
    if (row?.hasRows) filled.push(name);
  }
  return filled;
}

/** Whether a server is connected to this database. */
export async function findServers(tx: AnyTx): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'marketday server'`,
  );
  return row?.count ?? 0;
}

/** The connection's role, if it does not own the market's tables and so may not truncate them. */
export async function findRoleThatMayNotRestore(tx: AnyTx): Promise<string | null> {
  const [row] = await query<{ role: string }>(
    tx,
    sql`select current_user::text as role where not has_table_privilege('audit_entry', 'TRUNCATE')`,
  );
  return row?.role ?? null;
}

export const findDeletions = async (tx: AnyTx): Promise<number[]> =>
  (await query<{ customer_id: number }>(tx, sql`select customer_id from deletion order by customer_id`)).map(
    (row) => row.customer_id,
  );

/** The email of a customer; null when there is no such customer, or the account is deleted. */
export async function findEmail(tx: AnyTx, customerId: number): Promise<string | null> {
  const row = await queryOne<{ email: string | null }>(
    tx,
    sql`select email from customer where id = ${customerId}::int and deleted_at is null`,
  );
  return row?.email ?? null;
}

/**
 * Ends the staff's actions that were held at the backup, or running and not begun: they may have been undone since, and their time is
 * long past. A shortage that was to be settled is counted only.
 */
export async function endHeldActions(tx: AnyTx, now: Date): Promise<void> {
  const problem = "The market was restored from a backup before this was done. Do it again if it is still to be done.";
  await execute(
    tx,
    sql`with ended as (update staff_action set state = 'refused', problem = ${problem}, ended_at = ${now}
          where state = 'held' or (state = 'running' and not case kind
            when 'short' then exists (select 1 from shortage g where g.action_id = staff_action.id and g.begun_at is not null)
            when 'cancel_order' then exists (select 1 from orders o where o.id = (input ->> 'orderId')::int and o.status = 'cancelled')
            else exists (select 1 from mail m where m.key = 'resend:' || staff_action.id) end) returning id)
        update shortage s set state = 'counted', version = s.version + 1 from ended where s.action_id = ended.id and s.state = 'held'`,
  );
}

/** Ends the staff's sessions, API keys, unused links and challenges, which may have been ended since the backup. */
export async function endStaffAccess(tx: AnyTx, now: Date): Promise<void> {
  await execute(tx, sql`update staff_session set ended_at = ${now} where ended_at is null`);
  await execute(tx, sql`update staff_api_key set revoked_at = ${now} where revoked_at is null`);
  await execute(tx, sql`update staff_link set used_at = ${now} where used_at is null`);
  await execute(tx, sql`delete from staff_challenge`);
}
