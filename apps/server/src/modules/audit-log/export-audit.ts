import { pipeline, Readable } from "node:stream";

import type { AuditQuery } from "@marketday/contracts/admin/audit";
import { stringify } from "csv-stringify";

import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { type AuditCursor, type AuditRow, findAuditRows, findNewestEntry } from "./entries-sql.ts";
import { filterOf } from "./read-audit.ts";
import { auditScopeOf } from "./scope.ts";
import { byOf } from "./serialize-entry.ts";

/** Entries that are read at once. */
const BATCH = 1000;
const COLUMNS = ["id", "at", "by", "name", "action", "about", "about_name", "market", "day", "reason", "data"];

const recordOf = (row: AuditRow): (string | number)[] => [
  row.id,
  new Date(row.at).toISOString(),
  row.actor,
  byOf(row).name,
  row.action,
  row.subject,
  row.subjectName ?? "",
  row.hub?.name ?? "",
  row.day ?? "",
  row.reason,
  JSON.stringify(row.data),
];

/**
 * All entries of a filter as CSV for spreadsheets, newest first, read in batches: what was written when the export began, and not the entry
 * of the export itself.
 */
export async function exportAudit(ctx: Context, actor: StaffActor, query: AuditQuery): Promise<Readable> {
  const { deps, now } = ctx;
  const filter = { ...filterOf(query), upTo: await findNewestEntry(deps.db) };
  await writeAuditEntry(deps.db, ctx, {
    action: "audit export",
    subject: "audit",
    reason: "",
    data: { filter: query },
  });
  const reading = { ...auditScopeOf(actor, now), filter, limit: BATCH, isShort: false };
  async function* records() {
    let cursor: AuditCursor = null;
    for (;;) {
      const rows: AuditRow[] = await findAuditRows(deps.db, { ...reading, cursor });
      for (const row of rows) yield recordOf(row);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      cursor = { before: last.id };
    }
  }
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    bom: true,
    escape_formulas: true,
    record_delimiter: "windows",
  });
  pipeline(Readable.from(records()), csv, (error) => {
    if (error) deps.log.warn({ err: error }, "an export of the audit log ended early");
  });
  return csv;
}
