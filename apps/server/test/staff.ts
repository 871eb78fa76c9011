import { randomUUID } from "node:crypto";

import type { Role } from "@marketday/domain/staff";

import { staffTokens } from "../src/lib/tokens.ts";
import { asStaffId } from "../src/modules/identity/context.ts";
import { insertStaffSession } from "../src/modules/identity/staff-session-store.ts";
import type { TestMarket } from "./app.ts";

/** A role in one hub, or in all of them. */
type TestGrant = Role | { role: Role; hubId: number };

/** A person of the staff with these roles, who has not signed in. */
export const createStaff = ({ db, clock }: TestMarket, ...grants: TestGrant[]) =>
  db.staff.create({
    data: {
      email: `staff.${randomUUID()}@example.com`,
      name: "Ada Kowalski",
      created_at: clock.now(),
      grants: {
        create: grants.map((grant) =>
          typeof grant === "string" ? { role: grant } : { role: grant.role, hub_id: grant.hubId },
        ),
      },
    },
  });

/** The cookie of a new session of a person. */
export async function staffCookie({ deps, clock }: TestMarket, staffId: number): Promise<string> {
  const id = randomUUID();
  await insertStaffSession(deps.db, { id, staffId: asStaffId(staffId), userAgent: "Test", now: clock.now() });
  return `mkt_staff=${staffTokens(deps.env.sessionSecrets).sign(id)}`;
}

/** The admin API as a new person with these roles, whose session has just begun. */
export async function staffOf(market: TestMarket, ...grants: TestGrant[]) {
  const person = await createStaff(market, ...grants);
  const cookie = await staffCookie(market, person.id);
  const send = async (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown) => {
    const response = await market.app.inject({
      method,
      url: `/api/admin${url}`,
      headers: {
        cookie,
        "sec-fetch-site": "same-origin",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const text = response.body;
    return {
      status: response.statusCode,
      body: text === "" ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  };
  return {
    person,
    cookie,
    get: (url: string) => send("GET", url),
    post: (url: string, body?: unknown) => send("POST", url, body),
    put: (url: string, body?: unknown) => send("PUT", url, body),
    delete: (url: string) => send("DELETE", url),
  };
}
