import type { Client } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { findMemberByEmail } from "./store.ts";

/**
 * The id of a person of the staff by their full email address. An id is returned as it is: the use case checks it.
 * @throws AppError 404
 */
export async function memberIdNamed(db: Client, who: string, now: Date): Promise<number> {
  if (/^[1-9]\d{0,8}$/.test(who)) return Number(who);
  const member = await findMemberByEmail(db, who.toLowerCase(), now);
  if (!member) throw new AppError(404, `No one on the staff has the address ${who}.`, { code: "not_found" });
  return member.id;
}
