import type { Customer } from "@marketday/contracts/account";
import type { Conn } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import { loginRequired } from "../../lib/app-error.ts";
import type { Actor } from "../../lib/context.ts";
import { serializeProfile } from "./serialize.ts";
import { findCustomerProfile, findGuestProfile } from "./store.ts";

/** The profile of the request's shopper: the response of guest, login, register and `GET /account/profile`. */
export async function loadProfile(deps: Deps, actor: Actor, now: Date, conn: Conn = deps.db): Promise<Customer> {
  const row =
    actor.type === "customer"
      ? await findCustomerProfile(conn, actor.customerId, now)
      : actor.type === "guest"
        ? await findGuestProfile(conn, actor.guestId)
        : null;
  if (!row) throw loginRequired();
  return serializeProfile(deps, row, now);
}
