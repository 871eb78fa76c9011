import type { Conn } from "@marketday/db";

import { insertAuditEntry } from "../audit/audit-sql.ts";

/** Writes something that an operator should look at: for `market doctor` and the audit log. */
export const noteAlert = (
  tx: Conn,
  { data, ...alert }: { actor: string; subject: string; reason: string; data: object; now: Date },
): Promise<number> => insertAuditEntry(tx, { ...alert, action: "alert", data: { ...data } });
