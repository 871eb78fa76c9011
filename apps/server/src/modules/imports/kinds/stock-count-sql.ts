import type { SqlTx } from "@marketday/db";

import type { Check } from "../kind.ts";

const offerOf = `join product p on p.slug = s.slug join variant x on x.product_id = p.id and x.title = s.variant
  join hub h on h.slug = s.hub join offer o on o.variant_id = x.id and o.hub_id = h.id`;
/** Whether a row is a count: its number differs from the exported one. */
const isCount = "s.inventory is not null and s.inventory is distinct from s.inventory_exported";

/**
 * Locks the offers of the rows, in the order of their ids, where a row is a count: sales wait until the counts are checked and
 * written (failures.md A3).
 */
export const lockForCounts = `select o.id from offer o where exists (select 1 from incoming s where ${isCount})
  and o.id in (select o.id from incoming s ${offerOf}) order by o.id for update`;

/** A check that a counted stock has not changed since it was exported. A number without an exported one is always refused. */
export const countedSinceExport: Check = {
  unlessCount: true,
  sql: `select s.line, 'inventory' as column, s.inventory::text as value, '' as "right",
      case when s.inventory_exported is null
        then format('the stock is %s now and the file says %s, without the number it had when the file was exported (inventory_exported). Export again, or leave the cell empty; if %s is what is there now, import with --count.', o.inventory, s.inventory, s.inventory)
        else format('the stock was %s when the file was exported, is %s now, and the file says %s. Export again, or leave the cell empty; if %s is what is there now, import with --count.', s.inventory_exported, o.inventory, s.inventory, s.inventory)
      end as sentence
    from incoming s ${offerOf}
    where ${isCount} and s.inventory <> o.inventory and s.inventory_exported is distinct from o.inventory`,
};

/** Empties the stock of the rows that are no count of an existing offer, so that its stock stays as it is. */
export const skipUncounted = (tx: SqlTx) =>
  tx.client.query(
    `update incoming set inventory = null where line in (select s.line from incoming s ${offerOf} where s.inventory = s.inventory_exported)`,
  );

/** The number of things that a sentence names. */
const NAMED = 10;

/** "brown-eggs, Dozen, carmel; jam, Jar, carmel; and 12 more" */
export const listed = (names: readonly string[]): string =>
  [
    ...names.slice(0, NAMED),
    ...(names.length > NAMED ? [`and ${(names.length - NAMED).toLocaleString("en-US")} more`] : []),
  ].join("; ");

/** Sentences about new offers without a number in the file; `former` has the offers as they were. */
export async function newStockNotes(tx: SqlTx): Promise<string[]> {
  const { rows } = await tx.client.query<{ start: number; name: string }>(
    `select coalesce(s.weekly_inventory, 0) as start, concat_ws(', ', s.slug, s.variant, s.hub) as name
     from former f join incoming s on s.line = f.line where f.offer_id is null and s.inventory is null order by s.line`,
  );
  const soldOut = rows.filter(({ start }) => start === 0).map(({ name }) => name);
  const weekly = rows.filter(({ start }) => start > 0).map(({ name }) => name);
  return [
    ...(weekly.length > 0
      ? [`New offers without a number in inventory start with their weekly stock: ${listed(weekly)}.`]
      : []),
    ...(soldOut.length > 0
      ? [`New offers without a number in inventory or weekly_inventory start sold out: ${listed(soldOut)}.`]
      : []),
  ];
}

/**
 * Replaces the offers of the rows' products, and the adjustments of their stock, by temporary tables with the same names until the
 * transaction ends. A dry run writes to these, and so locks no offer that a checkout needs. The rows of its products and variants
 * stay locked until it ends, but not their keys: a sale only refers to them and does not wait, another writer of products does.
 */
export async function copyOffers(tx: SqlTx): Promise<void> {
  const { rows } = await tx.client.query<{ schema: string }>(
    "select relnamespace::regnamespace::text as schema from pg_class where oid = 'offer'::regclass",
  );
  const { schema } = rows[0]!;
  await tx.client.query(`
    create temp table offer (like ${schema}.offer including all) on commit drop;
    create temp table stock_adjustment (like ${schema}.stock_adjustment including all) on commit drop;
    insert into offer select o.* from ${schema}.offer o where o.variant_id in (
      select x.id from variant x join product p on p.id = x.product_id where p.slug in (select slug from incoming));
    analyze offer`);
}
