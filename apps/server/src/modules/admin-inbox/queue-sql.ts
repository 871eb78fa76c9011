import { type Conn, join, queryOne, type Sql, sql } from "@marketday/db";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import { addMs } from "@marketday/domain/time";
import { ANSWER_LATE_MS } from "@marketday/domain/today";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";
import { type HubScope, inScope } from "../today/hub-filter-sql.ts";
import { columns, InboxRow, type InboxScopes, items, kindsOf } from "./items-sql.ts";

export interface InboxFilter {
  view: "market" | "vendor" | "all" | "done";
  kind: InboxKind | null;
  /** Null: assigned to anyone or no one. */
  assignee: number | "none" | null;
  text: string;
  /** Slug or id. */
  hub: string | null;
}

/** Also the hubs whose people the person of the staff reads. */
interface QueueScopes extends InboxScopes {
  people: HubScope;
}

const Counts = z.object({
  market: z.number(),
  vendor: z.number(),
  all: z.number(),
  done: z.number(),
  overdue: z.number(),
});
const QueueRow = z.object({ counts: Counts, rows: z.array(InboxRow) });
export type InboxQueue = z.infer<typeof QueueRow>;

/**
 * Of an item `i`, whether its words, names or order number have the text. Its person's address and last name are searched where the person
 * of the staff reads them (`people`), else the first letter of the last name.
 */
function matches(text: string, people: HubScope): Sql {
  if (text === "") return sql`true`;
  const like = `%${escapeLike(text)}%`;
  const digits = text.replaceAll(/\s/g, "");
  return sql`(i.words ilike ${like} or case when ${inScope(sql`i.hub_id`, people)} then (i.first_name || ' ' || i.last_name) ilike ${like} or i.email ilike ${like}
      else (i.first_name || ' ' || left(i.last_name, 1)) ilike ${like} end or i.vendor_name ilike ${like} or i.product_title ilike ${like}
    or i.order_id::text = ${digits})`;
}

/** A page of the inbox and the counts of its views, in one statement. */
export async function findQueue(
  conn: Conn,
  { view, kind, assignee, text, hub }: InboxFilter,
  scopes: QueueScopes,
  { offset, rows }: { offset: number; rows: number },
  now: Date,
): Promise<InboxQueue> {
  const kinds = kindsOf(scopes, kind);
  if (kinds.length === 0) return { counts: { market: 0, vendor: 0, all: 0, done: 0, overdue: 0 }, rows: [] };
  const condition = join(
    [
      matches(text, scopes.people),
      assignee === null
        ? sql`true`
        : assignee === "none"
          ? sql`s.assignee_id is null`
          : sql`s.assignee_id = ${assignee}::int`,
      hub === null
        ? sql`true`
        : sql`i.hub_id = (select h.id from hub h where h.slug = ${hub} or h.id::text = ${hub} order by h.id limit 1)`,
    ],
    " and ",
  );
  const isWaiting = view === "market" || view === "vendor";
  const order = isWaiting ? sql`i.at, i.kind, i.id` : sql`i.at desc, i.kind, i.id desc`;
  const row = await queryOne(
    conn,
    sql`with i as materialized (${items(kinds, scopes, now, condition)})
        select (select json_build_object('market', count(*) filter (where turn = 'market'), 'vendor', count(*) filter (where turn = 'vendor'), 'all', count(*),
              'done', count(*) filter (where turn = 'done'), 'overdue', count(*) filter (where turn in ('market', 'vendor') and at <= ${addMs(now, -ANSWER_LATE_MS)})) from i) as counts,
          coalesce((select json_agg(to_json(r)) from (
            select ${columns} from (select * from i where ${view === "all" ? sql`true` : sql`turn = ${view}`} order by ${order} limit ${rows}::int offset ${offset}::int) i
            order by ${order}) r), '[]') as rows`,
    QueueRow,
  );
  // Instants within JSON are text.
  return QueueRow.parse(row);
}
