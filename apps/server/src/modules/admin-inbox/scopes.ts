import type { Conn } from "@marketday/db";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import { can, hubsWith, type Permission } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { type DetailRow, findItem } from "./item-sql.ts";
import type { InboxScopes } from "./items-sql.ts";

export interface ItemRef {
  kind: InboxKind;
  id: number;
}

/** As in the audit log and in actions: "review:12". */
export const subjectOf = ({ kind, id }: ItemRef): string => `${kind}:${id}`;

export const scopesOf = ({ grants }: StaffActor): InboxScopes => ({
  reply: hubsWith(grants, "inbox.reply"),
  moderate: hubsWith(grants, "moderation.write"),
});

/** Whether a person may do this with an item of a hub; of no hub: with the permission in every market. */
export const mayIn = ({ grants }: StaffActor, permission: Permission, hubId: number | null): boolean =>
  can(grants, permission, hubId ?? "all");

/** An item of any market, for the undo of an action that the person may undo; null: it was deleted. */
export const findAnyItem = (conn: Conn, which: ItemRef, now: Date): Promise<DetailRow | null> =>
  findItem(conn, which, { reply: "all", moderate: "all" }, now);

/**
 * An item in a market in which the person may do this.
 * @throws AppError 404 for one that they may not read, the same as for none; 403 without the permission there
 */
export async function getItem(
  conn: Conn,
  { actor, now }: Pick<Context, "actor" | "now">,
  which: ItemRef,
  permission: Permission | null,
): Promise<DetailRow> {
  const staff = requireStaff(actor);
  const item = await findItem(conn, which, scopesOf(staff), now);
  if (!item) throw notFound();
  if (permission !== null && !mayIn(staff, permission, item.hub_id))
    throw new AppError(403, `You may not do that in ${item.hub?.name ?? "every market"}.`, {
      code: "forbidden",
      permission,
    });
  return item;
}
