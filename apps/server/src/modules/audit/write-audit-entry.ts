import type { Conn } from "@marketday/db";

import type { Actor, Context } from "../identity/context.ts";
import { insertAuditEntry } from "./audit-sql.ts";

/** A manual operation: name, subject, reason. */
export interface AuditEntry {
  /** The command's name: "orders refund", "credit grant". */
  action: string;
  /** Noun and id: "order:123456789". */
  subject: string;
  reason: string;
  /** Amounts, values before and after. No secrets, no card data. */
  data?: Record<string, unknown>;
}

/** An actor in the audit log: "operator:ada", "customer:12", "staff:ada@example.com", "vendor:oak-farm", "system:week". */
export function actorName(actor: Actor): string {
  switch (actor.type) {
    case "operator":
      return `operator:${actor.name}`;
    case "customer":
      return `customer:${actor.customerId}`;
    case "guest":
      return `guest:${actor.guestId}`;
    case "staff":
      return `staff:${actor.email}`;
    case "vendor":
      return `vendor:${actor.slug}`;
    case "system":
      return `system:${actor.job}`;
    case "anonymous":
      return "anonymous";
    default:
      return actor satisfies never;
  }
}

/**
 * Writes an audit entry in the transaction of the operation. Rows are never changed or deleted (failures.md L10). The market of an order, a
 * delivery, a hub or a customer is found by its subject; `actionId` of the action that is being done and the API key with which its person calls are added to its data.
 */
export const writeAuditEntry = (
  tx: Conn,
  ctx: Pick<Context, "now" | "actor" | "actionId">,
  entry: AuditEntry,
): Promise<number> =>
  insertAuditEntry(tx, {
    ...entry,
    actor: actorName(ctx.actor),
    data: {
      ...entry.data,
      ...(ctx.actionId !== undefined && { actionId: ctx.actionId }),
      ...(ctx.actor.type === "staff" &&
        ctx.actor.apiKey && { apiKey: ctx.actor.apiKey.name, apiKeyId: ctx.actor.apiKey.id }),
    },
    now: ctx.now,
  });
