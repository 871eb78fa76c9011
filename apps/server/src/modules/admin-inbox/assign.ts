import { transaction } from "@marketday/db";
import { can, type Grant, hubsWith, type Role } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { getItem, type ItemRef, subjectOf } from "./scopes.ts";
import { findPeople, findPerson, lockItem, type PersonRow, setAssignee } from "./store.ts";

const grantsOf = ({ grants }: PersonRow): Grant[] =>
  grants.map(({ role, hub_id }) => ({ role: role as Role, hubId: hub_id }));

/** The people who may answer somewhere, with the markets of each; null: all markets. */
export async function listPeople({ deps }: Context): Promise<{ id: number; name: string; hubIds: number[] | null }[]> {
  return (await findPeople(deps.db)).flatMap((person) => {
    const hubs = hubsWith(grantsOf(person), "inbox.reply");
    if (hubs !== "all" && hubs.length === 0) return [];
    return [{ id: person.id, name: person.name, hubIds: hubs === "all" ? null : [...hubs] }];
  });
}

/**
 * Assigns an item to a person who may answer there, or to no one (null). The last one counts.
 * @throws AppError 404; 403; 400 `invalid` for a person who may not answer there
 */
export async function assignItem(ctx: Context, which: ItemRef, staffId: number | null): Promise<void> {
  await getItem(ctx.deps.db, ctx, which, "inbox.reply");
  await transaction(ctx.deps.db, async (tx) => {
    await lockItem(tx, which);
    const item = await getItem(tx, ctx, which, "inbox.reply");
    if ((item.assignee?.id ?? null) === staffId) return;
    if (staffId !== null) {
      const person = await findPerson(tx, staffId);
      if (!person || !can(grantsOf(person), "inbox.reply", item.hub_id ?? "all"))
        throw new AppError(400, "This person may not answer there.", { code: "invalid", field: "staffId" });
    }
    await setAssignee(tx, which, staffId);
    await writeAuditEntry(tx, ctx, {
      action: "inbox assign",
      subject: subjectOf(which),
      reason: "",
      data: { before: item.assignee?.id ?? null, after: staffId },
    });
  });
}
