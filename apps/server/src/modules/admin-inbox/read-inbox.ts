import type { InboxItem, InboxRow } from "@marketday/contracts/admin/inbox";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import { hubsWith } from "@marketday/domain/staff";

import type { Page } from "../../lib/paging.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findAction } from "../staff-actions/store.ts";
import { findEarlier } from "./item-sql.ts";
import { findQueue, type InboxFilter, type InboxQueue } from "./queue-sql.ts";
import { getItem, type ItemRef, scopesOf } from "./scopes.ts";
import { toInboxItem, toInboxRow } from "./serialize.ts";

interface InboxQuery {
  view: InboxFilter["view"];
  kind?: InboxKind | undefined;
  assigned?: string | undefined;
  q: string;
  hub?: string | undefined;
}

/** A page of the inbox, as a person may read it: one statement. */
export async function readInbox(
  { actor, deps, now }: Context,
  { view, kind, assigned, q, hub }: InboxQuery,
  page: Page,
): Promise<{ items: InboxRow[]; total: number; counts: InboxQueue["counts"] }> {
  const staff = requireStaff(actor);
  const filter = {
    view,
    kind: kind ?? null,
    assignee:
      assigned === undefined
        ? null
        : assigned === "me"
          ? staff.staffId
          : assigned === "none"
            ? assigned
            : Number(assigned),
    text: q.trim(),
    hub: hub ?? null,
  } satisfies InboxFilter;
  const { counts, rows } = await findQueue(
    deps.db,
    filter,
    { ...scopesOf(staff), people: hubsWith(staff.grants, "people.read") },
    { offset: page.offset, rows: page.rows },
    now,
  );
  return { items: rows.map((row) => toInboxRow(row, staff, now)), total: counts[view], counts };
}

/** One item whole: two statements, three while an answer is held. @throws AppError 404 */
export async function readItem(ctx: Context, which: ItemRef): Promise<InboxItem> {
  const { actor, deps, now } = ctx;
  const staff = requireStaff(actor);
  const row = await getItem(deps.db, ctx, which, null);
  const earlier = await findEarlier(deps.db, row, scopesOf(staff), now);
  const pending = row.pending_id === null ? null : await findAction(deps.db, row.pending_id);
  return toInboxItem(row, { earlier, pending }, staff, now);
}
