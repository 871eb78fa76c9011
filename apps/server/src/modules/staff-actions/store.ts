import type { Client, Db, Prisma, Tx } from "@marketday/db";
import type { StaffActionKind } from "@marketday/domain/staff-actions";

import type { StaffId } from "../identity/context.ts";

export const shown = {
  id: true,
  kind: true,
  hub_id: true,
  delivery_id: true,
  subject: true,
  input: true,
  summary: true,
  state: true,
  due_at: true,
  problem: true,
  created_at: true,
  ended_at: true,
  staff: {
    select: {
      id: true,
      email: true,
      name: true,
      disabled_at: true,
      grants: { select: { role: true, hub_id: true } },
    },
  },
  hub: { select: { id: true, slug: true, name: true, time_zone: true } },
  delivery: { select: { day: true } },
} satisfies Prisma.staff_actionSelect;
/** An action with its person, their roles of now, and its day. */
export type ActionRow = Prisma.staff_actionGetPayload<{ select: typeof shown }>;

export const findAction = (db: Client, id: number): Promise<ActionRow | null> =>
  db.staff_action.findUnique({ where: { id }, select: shown });

export const findActionsOf = (db: Client, ids: readonly number[]): Promise<ActionRow[]> =>
  db.staff_action.findMany({ where: { id: { in: [...ids] } }, select: shown });

/** Actions since an instant in these hubs, newest first; of no hub, unless `hubs` is "all": the person's own, and those of some kinds. */
export const findActions = (
  db: Client,
  filter: {
    hubs: "all" | readonly number[];
    staffId: StaffId;
    /** Kinds of which those of no hub are found. */
    hubless: readonly StaffActionKind[];
    /** Without it, or null: all kinds. */
    kinds?: readonly StaffActionKind[] | null;
    since: Date;
    limit: number;
  },
): Promise<ActionRow[]> =>
  db.staff_action.findMany({
    where: {
      created_at: { gte: filter.since },
      ...(filter.kinds && { kind: { in: [...filter.kinds] } }),
      ...(filter.hubs !== "all" && {
        OR: [
          { hub_id: { in: [...filter.hubs] } },
          { hub_id: null, staff_id: filter.staffId },
          { hub_id: null, kind: { in: [...filter.hubless] } },
        ],
      }),
    },
    select: shown,
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    take: filter.limit,
  });

/** Held and running actions on these subjects, oldest first. */
export const findOpenActions = (db: Client, subjects: readonly string[]): Promise<ActionRow[]> =>
  db.staff_action.findMany({
    where: { subject: { in: [...subjects] }, state: { in: ["held", "running"] } },
    select: shown,
    orderBy: { id: "asc" },
  });

/** Held actions of these kinds whose time has come, and running ones whose server is gone. */
export const findDueActions = (db: Client, kinds: readonly StaffActionKind[], now: Date): Promise<ActionRow[]> =>
  db.staff_action.findMany({
    where: { kind: { in: [...kinds] }, state: { in: ["held", "running"] }, due_at: { lte: now } },
    select: shown,
    orderBy: { id: "asc" },
  });

/** An action that a server does now. `lease`: until when it has it, and its fencing token (docs/architecture.md). */
interface Claim {
  id: number;
  lease: Date;
}
const isClaimed = ({ id, lease }: Claim) => ({ id, state: "running", due_at: lease });

/** Takes a due action. False: another server has it, or it was undone. */
export async function claimAction(db: Client, { id, lease }: Claim, now: Date): Promise<boolean> {
  const { count } = await db.staff_action.updateMany({
    where: { id, state: { in: ["held", "running"] }, due_at: { lte: now } },
    data: { state: "running", due_at: lease },
  });
  return count === 1;
}

/** Gives a claimed action back, due at this instant; "held": it can be undone until then. False: as `endClaimed`. */
export const releaseAction = async (
  db: Client,
  claim: Claim,
  state: "held" | "running",
  dueAt: Date,
): Promise<boolean> =>
  (await db.staff_action.updateMany({ where: isClaimed(claim), data: { state, due_at: dueAt } })).count === 1;

/** Ends a claimed action. False: its lease has ended, and another server has it or has done it. */
export async function endClaimed(
  tx: Client | Tx,
  claim: Claim,
  end: { state: "done" | "refused"; problem: string | null; now: Date },
): Promise<boolean> {
  const { count } = await tx.staff_action.updateMany({
    where: isClaimed(claim),
    data: { state: end.state, problem: end.problem, ended_at: end.now },
  });
  return count === 1;
}

/** The newest action on one of these subjects that is held or being done, with `input` of exactly this one; null: none. */
export const findPending = (
  db: Client,
  kind: StaffActionKind,
  subjects: readonly string[],
  input?: Prisma.InputJsonObject,
): Promise<ActionRow | null> =>
  db.staff_action.findFirst({
    where: {
      kind,
      subject: { in: [...subjects] },
      state: { in: ["held", "running"] },
      ...(input !== undefined && { input: { equals: input } }),
    },
    select: shown,
    orderBy: { id: "desc" },
  });

/** The newest action of a kind on a subject, whatever became of it; null: none. */
export const findNewestAction = (db: Client, kind: StaffActionKind, subject: string): Promise<ActionRow | null> =>
  db.staff_action.findFirst({ where: { kind, subject }, select: shown, orderBy: { id: "desc" } });

/** Whether a newer action of its kind, if given with this part in its input, was done on the same subject and not undone. */
export const hasNewerAction = async (
  tx: Tx,
  { id, kind, subject }: Pick<ActionRow, "id" | "kind" | "subject">,
  part?: string,
): Promise<boolean> =>
  (await tx.staff_action.count({
    where: {
      id: { gt: id },
      kind,
      subject,
      state: { not: "undone" },
      ...(part !== undefined && { input: { path: ["part"], equals: part } }),
    },
  })) > 0;

/** The shopper changed what actions of this kind did, so these are not undone: on `deliveryId`, or with null on no day. */
export const supersedeActions = (
  tx: Tx,
  { kind, subject, deliveryId }: { kind: StaffActionKind; subject: string; deliveryId: number | null },
  now: Date,
) =>
  tx.staff_action.updateMany({
    where: { kind, subject, delivery_id: deliveryId, state: "done", superseded_at: null },
    data: { superseded_at: now },
  });

/** Whether what an action did was changed since, even when it is again as the action left it: by the shopper, or by a newer one that stands. */
export const isSuperseded = async (
  tx: Tx,
  { id, kind, subject, delivery_id }: Pick<ActionRow, "id" | "kind" | "subject" | "delivery_id">,
): Promise<boolean> =>
  (await tx.staff_action.count({
    where: {
      OR: [
        { id, superseded_at: { not: null } },
        { id: { gt: id }, kind, subject, delivery_id, state: { not: "undone" } },
      ],
    },
  })) > 0;

/** Deletes actions that ended before an instant: at most `rows` at once. */
export const deleteOldActions = async (db: Db, before: Date, rows: number): Promise<number> =>
  (await db.staff_action.deleteMany({ where: { ended_at: { lt: before } }, limit: rows })).count;
