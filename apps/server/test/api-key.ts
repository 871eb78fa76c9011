import type { Permission } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";

import { newToken, sha256 } from "../src/lib/tokens.ts";
import type { TestMarket } from "./app.ts";

/** A key of a person for a year, without the way by which they create one; they get a passkey, because a key needs a set-up sign-in. */
export async function apiKeyOf(
  { db, clock }: TestMarket,
  staffId: number,
  permissions: readonly Permission[],
): Promise<string> {
  const created_at = clock.now();
  if ((await db.staff_passkey.count({ where: { staff_id: staffId } })) === 0)
    await db.staff_passkey.create({
      data: {
        id: `passkey-of-key-${staffId}`,
        staff_id: staffId,
        name: "Phone",
        public_key: Buffer.from([1]),
        counter: 0n,
        transports: [],
        is_synced: false,
        created_at,
      },
    });
  const key = `mkt_${newToken()}`;
  await db.staff_api_key.create({
    data: {
      staff_id: staffId,
      name: "Export",
      key_hash: sha256(key),
      start: key.slice(0, 10),
      permissions: [...permissions],
      created_at,
      expires_at: addMs(created_at, 365 * Day.ms),
    },
  });
  return key;
}

/** The admin API as a program with a key, outside of any browser. */
export const withKey =
  ({ app }: Pick<TestMarket, "app">, key: string) =>
  async (
    url: string,
    {
      method = "GET",
      body,
      headers = {},
    }: { method?: "GET" | "POST" | "DELETE"; body?: unknown; headers?: object } = {},
  ) => {
    const response = await app.inject({
      method,
      url: `/api/admin${url}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const isJson = String(response.headers["content-type"]).includes("json");
    return { status: response.statusCode, body: isJson ? response.json() : response.body, headers: response.headers };
  };
