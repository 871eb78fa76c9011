import type { AuditEntry, AuditList, AuditQuery } from "@marketday/contracts/admin/audit";
import type { Client } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findActionsOf } from "../staff-actions/store.ts";
import { whyNotUndo } from "../staff-actions/undo-action.ts";
import {
  type AuditCursor,
  type AuditFilter,
  type AuditRow,
  findAudit,
  findAuditEntry,
  findChoices,
} from "./entries-sql.ts";
import { auditScopeOf } from "./scope.ts";
import { actionIdOf, toAuditEntry } from "./serialize-entry.ts";

/** Entries of a page. */
const PAGE = 50;
/** Matching entries are counted up to this. */
const COUNTED_MOST = 10_000;

/** A filter as the statements have it. */
export function filterOf({ thing, ...query }: AuditQuery): AuditFilter {
  if (thing === undefined) return query;
  const at = thing.indexOf(":");
  const kind = thing.slice(0, at) as NonNullable<AuditFilter["thing"]>["kind"];
  return { ...query, thing: { kind, id: thing.slice(at + 1).trim() } };
}

/** The actions of entries, by id. */
async function actionsOf(db: Client, rows: readonly AuditRow[]) {
  const ids = [...new Set(rows.map(actionIdOf))].filter((id) => id !== null);
  const actions = ids.length === 0 ? [] : await findActionsOf(db, ids);
  return new Map(actions.map((action) => [action.id, action]));
}

/** A page of the entries that a person may read (docs/product.md §18 "Audit log"). */
export async function readAudit(
  { deps, now }: Context,
  actor: StaffActor,
  { before, after, ...query }: AuditQuery & { before?: number | undefined; after?: number | undefined },
): Promise<AuditList> {
  const cursor: AuditCursor = before !== undefined ? { before } : after !== undefined ? { after } : null;
  const reading = { ...auditScopeOf(actor, now), filter: filterOf(query), cursor, limit: PAGE + 1, isShort: true };
  const { total, entries } = await findAudit(deps.db, reading, COUNTED_MOST + 1);
  const isUp = cursor !== null && "after" in cursor;
  const hasMore = entries.length > PAGE;
  const shown = entries.slice(0, PAGE);
  const actions = await actionsOf(deps.db, shown);
  const read = shown.map((row) => toAuditEntry(row, { actor, now, actions }));
  return {
    entries: isUp ? read.toReversed() : read,
    total: Math.min(total, COUNTED_MOST),
    isMore: total > COUNTED_MOST,
    hasNewer: isUp ? hasMore : cursor !== null,
    hasOlder: isUp || hasMore,
  };
}

/** One entry, and what its undo would answer now. @throws AppError 404 for one that the person may not read */
export async function readEntry(
  ctx: Context,
  actor: StaffActor,
  id: number,
): Promise<AuditEntry & { undo: { canUndo: boolean; reason: string } | null }> {
  const { deps, now } = ctx;
  const row = await findAuditEntry(deps.db, id, auditScopeOf(actor, now));
  if (!row) throw notFound();
  const actions = await actionsOf(deps.db, [row]);
  const entry = toAuditEntry(row, { actor, now, actions });
  const action = entry.change && actions.get(entry.change.id);
  // What was undone says so; nothing is left to explain.
  if (!action || action.state === "undone") return { ...entry, undo: null };
  const reason = await whyNotUndo(ctx, actor, action);
  return { ...entry, undo: { canUndo: reason === null, reason: reason ?? "" } };
}

/** Actions and people for a filter: no one of whom the person may read nothing. */
export async function readChoices({ deps, now }: Context, actor: StaffActor) {
  const { scope } = auditScopeOf(actor, now);
  const { actions, operators, staff } = await findChoices(deps.db, scope);
  const people = [...staff, ...operators.map((ref) => ({ ref, name: ref.slice(ref.indexOf(":") + 1) }))];
  return { actions, people };
}
