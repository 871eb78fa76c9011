import { AUDIT_KINDS, AUDIT_THINGS } from "@marketday/domain/audit";
import { isTimeZone } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { CalendarDate, Id, IdParams, Instant } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

/** A filter of the audit log; all of it must hold. Texts of less than three letters find nothing fast, and are refused. */
export const AuditQuery = z.object({
  /** A kind, or one of it: "staff:ada@example.com", "operator:root", "customer:12", "vendor:oak-farm", "system:week". */
  who: z
    .string()
    .max(400)
    .regex(new RegExp(`^(?:${AUDIT_KINDS.join("|")})(?::.+)?$`), "Choose who")
    .optional(),
  /** As the entry has it: "orders refund". */
  action: z.string().max(100).optional(),
  thing: z
    .string()
    .max(200)
    .regex(new RegExp(`^(?:${AUDIT_THINGS.join("|")}):.+$`), "Choose what it is about")
    .optional(),
  /** The entries of one action of the staff (`StaffAction`): it, what it did, and its undo. */
  change: Id.optional(),
  /** Slug of a market. */
  hub: z.string().max(200).optional(),
  /** First and last day, in `zone`. */
  from: CalendarDate.optional(),
  to: CalendarDate.optional(),
  zone: z.string().max(60).refine(isTimeZone, "Choose a time zone").default("UTC"),
  q: z.string().trim().min(3, "Type at least 3 letters").max(200).optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

const Hub = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() });

export const AuditEntry = z
  .object({
    id: z.number().int(),
    at: Instant,
    /** `ref`: as a filter has it. `name`: of a person of the staff, an operator or a vendor, of a shopper for who may read people, of a job. */
    by: z.object({ kind: z.enum([...AUDIT_KINDS, "other"]), ref: z.string(), name: z.string() }),
    action: z.string(),
    /** `kind` and `id` of what it is about; `name` where the market knows one. */
    subject: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
    reason: z.string(),
    /** What is stored with it. Large lists are left out of a list of entries (`isCut`). */
    data: z.record(z.string(), z.unknown()),
    isCut: z.boolean(),
    hub: Hub.nullable(),
    /** Of an order, a shortage or a delivery: its day. */
    day: CalendarDate.nullable(),
    /** The action of the staff that it belongs to; null: none, or it is no longer kept. */
    change: z
      .object({
        id: z.number().int(),
        state: z.enum(["held", "running", "done", "undone", "refused"]),
        /** It can be undone by this person, as far as is known without trying. */
        canUndo: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

const access = { permission: "audit.read", where: "any" } as const;

export const AuditList = z
  .object({
    entries: z.array(AuditEntry),
    /** How many match, at most 10,000; `isMore`: there are more. */
    total: z.number().int(),
    isMore: z.boolean(),
    /** Whether there are entries before the first and after the last of the page. */
    hasNewer: z.boolean(),
    hasOlder: z.boolean(),
  })
  .meta({ id: "AuditList" });
export type AuditList = z.infer<typeof AuditList>;

/**
 * The entries that a person may read, newest first: the 50 after the entry `before` (older ones), or before the entry `after` (newer ones).
 * Which entries a role includes: `AUDIT_ENTRIES` of the domain; one's own are always included.
 */
export const listAudit = adminEndpoint({
  method: "GET",
  url: "/audit",
  access,
  schema: {
    querystring: AuditQuery.extend({ before: Id.optional(), after: Id.optional() }),
    response: { 200: AuditList },
  },
});

/** What a filter can choose from: the actions and the people that the readable entries of the last year have. */
export const listAuditChoices = adminEndpoint({
  method: "GET",
  url: "/audit/choices",
  access,
  schema: {
    response: {
      200: z.object({
        actions: z.array(z.string()),
        people: z.array(z.object({ ref: z.string(), name: z.string() })),
      }),
    },
  },
});

/** One entry with all of its data. `undo`: what an undo would answer now; null: it belongs to no action. 404. */
export const getAuditEntry = adminEndpoint({
  method: "GET",
  url: "/audit/entries/:id",
  access,
  schema: {
    params: IdParams,
    response: {
      200: AuditEntry.extend({
        undo: z.object({ canUndo: z.boolean(), reason: z.string() }).nullable(),
      }),
    },
  },
});

/** All entries of a filter as CSV, newest first; itself an entry. */
export const exportAudit = adminEndpoint({
  method: "GET",
  url: "/audit/export",
  access,
  schema: { querystring: AuditQuery, response: { 200: z.any() } },
});
