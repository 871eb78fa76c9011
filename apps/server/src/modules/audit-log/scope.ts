import { auditHubs, hubsWith } from "@marketday/domain/staff";

import { actorName } from "../audit/write-audit-entry.ts";
import type { StaffActor } from "../identity/context.ts";
import type { AuditScope } from "./entries-sql.ts";

/** What a person may read of the audit log, by `AUDIT_ENTRIES` of their roles, and whose shoppers they read by name. */
export const auditScopeOf = (
  actor: StaffActor,
  now: Date,
): { scope: AuditScope; people: "all" | readonly number[] } => ({
  scope: { actor: actorName(actor), ...auditHubs(actor.grants), now },
  people: hubsWith(actor.grants, "people.read"),
});
