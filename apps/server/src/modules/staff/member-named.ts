import type { Client } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { findMember, findMemberByEmail } from "./store.ts";

/**
 * A person of the staff by their full email address or id. `version` null: there is no such id, which the use case refuses.
 * @throws AppError 404 for an unknown address
 */
export async function memberNamed(db: Client, who: string, now: Date): Promise<{ id: number; version: number | null }> {
  if (/^[1-9]\d{0,8}$/.test(who)) {
    const id = Number(who);
    return { id, version: (await findMember(db, id, now))?.version ?? null };
  }
  const member = await findMemberByEmail(db, who.toLowerCase(), now);
  if (!member) throw new AppError(404, `No one on the staff has the address ${who}.`, { code: "not_found" });
  return member;
}
