import type { ApiKey, createApiKey as createApiKeyCall } from "@marketday/contracts/admin/api-keys";
import type { Input } from "@marketday/contracts/endpoint";
import { transaction } from "@marketday/db";
import { API_KEY, hubsWith, STEP_UP_PERMISSIONS } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";

import { AppError, notFound } from "../../lib/app-error.ts";
import { newToken, sha256 } from "../../lib/tokens.ts";
import { findApiKeys, revokeApiKeys, toApiKeys } from "../identity/api-key-store.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { auditOwn, lockSelf, mailChange } from "./own-security.ts";

/** Characters of a key that are stored to recognize it: of 256 random bits they leave 220. */
const START_LENGTH = API_KEY.prefix.length + 6;

/** A person's own keys. */
export const listOwnKeys = async ({ deps, now }: Context, { staffId }: StaffActor): Promise<ApiKey[]> =>
  toApiKeys(await findApiKeys(deps.db, staffId), now);

type NewKey = Input<typeof createApiKeyCall>["body"];

/**
 * Creates a key for some of a person's permissions, and mails them.
 * @returns the key, and its secret, which is not stored
 * @throws AppError 400 `invalid` for a permission that they do not have, or that needs a step-up; 409 `too_many_keys`
 */
export async function createOwnKey(
  ctx: Context,
  actor: StaffActor,
  { name, permissions: chosen, days }: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const { now } = ctx;
  const permissions = [...new Set(chosen)];
  if (permissions.some((permission) => hubsWith(actor.grants, permission).length === 0))
    throw new AppError(400, "A key can only do what you may do yourself.", { code: "invalid", field: "permissions" });
  if (permissions.some((permission) => STEP_UP_PERMISSIONS.includes(permission)))
    throw new AppError(400, "A key can't confirm who it is: leave out what needs that.", {
      code: "invalid",
      field: "permissions",
    });
  const secret = `${API_KEY.prefix}${newToken()}`;
  return transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    const working = await tx.staff_api_key.count({
      where: { staff_id: actor.staffId, revoked_at: null, expires_at: { gt: now } },
    });
    if (working >= API_KEY.most)
      throw new AppError(409, `You have ${API_KEY.most} keys already. Revoke one that you no longer need.`, {
        code: "too_many_keys",
      });
    const expiresAt = addMs(now, days * Day.ms);
    const { id } = await tx.staff_api_key.create({
      data: {
        staff_id: actor.staffId,
        name,
        key_hash: sha256(secret),
        start: secret.slice(0, START_LENGTH),
        permissions,
        created_at: now,
        expires_at: expiresAt,
      },
      select: { id: true },
    });
    await auditOwn(tx, ctx, actor, {
      action: "staff api-key add",
      data: { name, permissions, expiresAt: expiresAt.toISOString() },
    });
    await mailChange(tx, ctx, actor, {
      key: `staff-api-key-created:${id}`,
      template: "staff-api-key-created",
      data: { name, expiresAt: expiresAt.toISOString() },
    });
    const key = toApiKeys(await findApiKeys(tx, actor.staffId), now).find((each) => each.id === id)!;
    return { key, secret };
  });
}

/** Revokes one of a person's own keys, at once on every server. @throws AppError 404 when it is not theirs or was revoked */
export async function revokeOwnKey(ctx: Context, actor: StaffActor, id: number): Promise<void> {
  await transaction(ctx.deps.db, async (tx) => {
    await lockSelf(tx, actor);
    const [name] = await revokeApiKeys(tx, actor.staffId, id, ctx.now);
    if (name === undefined) throw notFound();
    await auditOwn(tx, ctx, actor, { action: "staff api-key revoke", data: { name } });
  });
}
