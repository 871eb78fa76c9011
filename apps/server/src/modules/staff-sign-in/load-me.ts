import type { Me } from "@marketday/contracts/admin/session";
import { hubsWith, PERMISSIONS, STAFF_SESSION } from "@marketday/domain/staff";
import { addMs } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { StaffSession } from "../identity/staff-sessions.ts";
import { findHubsOfStaff } from "./hub-store.ts";
import { countPasskeys } from "./passkey-store.ts";
import { countCodes } from "./recovery-codes.ts";

/** The person of a session, with what they may do and see. */
export async function loadMe({ db }: Deps, { actor, endsAt }: StaffSession, now: Date): Promise<Me> {
  const { staffId, name, email, grants, steppedUpAt } = actor;
  const isEverywhere = grants.some(({ hubId }) => hubId === null);
  const hubIds = grants.flatMap(({ hubId }) => hubId ?? []);
  const [passkeys, recoveryCodesLeft, hubs] = await Promise.all([
    countPasskeys(db, staffId),
    countCodes(db, staffId),
    findHubsOfStaff(db, isEverywhere ? "all" : hubIds),
  ]);
  const names = new Map(hubs.map((hub) => [hub.id, hub.name]));
  const steppedUpUntil = steppedUpAt && addMs(steppedUpAt, STAFF_SESSION.stepUpMs);
  return {
    id: staffId,
    name,
    email,
    roles: grants.map(({ role, hubId }) => ({
      role,
      hub: hubId === null ? null : { id: hubId, name: names.get(hubId) ?? "" },
    })),
    permissions: Object.fromEntries(
      PERMISSIONS.map((permission) => [permission, hubsWith(grants, permission)] as const)
        .filter(([, where]) => where.length > 0)
        .map(([permission, where]) => [permission, where === "all" ? where : [...where]]),
    ),
    hubs: hubs.map((hub) => ({
      id: hub.id,
      slug: hub.slug,
      name: hub.name,
      timeZone: hub.time_zone,
      deliveryDay: hub.delivery_day,
    })),
    sessionEndsAt: endsAt.toISOString(),
    steppedUpUntil: steppedUpUntil && steppedUpUntil > now ? steppedUpUntil.toISOString() : null,
    passkeys,
    recoveryCodesLeft,
  };
}
