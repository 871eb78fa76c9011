import type { IncomingHttpHeaders } from "node:http";

import { API_KEY, type Permission, type Role } from "@marketday/domain/staff";
import { Minute, Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { KeyedCache } from "../../lib/cache.ts";
import { sha256 } from "../../lib/tokens.ts";
import { type ApiKeyRow, findApiKey, touchApiKey } from "./api-key-store.ts";
import { asStaffId, type StaffActor, type StaffId } from "./context.ts";

/** Time a key is cached; notifications drop it sooner. */
const CACHED_MS = 1 * Second.ms;
const TOUCH_EVERY_MS = 1 * Minute.ms;
/** Estimated memory of one. */
const KEY_BYTES = 2048;

const BEARER = new RegExp(`^Bearer (${API_KEY.prefix}.*)$`, "i");

/** A key is its prefix and 256 random bits: nothing else is looked up. */
const SHAPE = new RegExp(`^${API_KEY.prefix}[\\w-]{43}$`);

/** The API key of a request's `Authorization`; null for a request without one. Other credentials in it are those of a proxy. */
export const apiKeyIn = ({ authorization }: IncomingHttpHeaders): string | null =>
  BEARER.exec(authorization ?? "")?.[1] ?? null;

const actorOf = ({ id, name, permissions, staff }: ApiKeyRow): StaffActor => ({
  type: "staff",
  staffId: asStaffId(staff.id),
  email: staff.email,
  name: staff.name,
  // A check of the database holds the roles, and the contract the permissions.
  grants: staff.grants.map(({ role, hub_id }) => ({
    role: role as Role,
    hubId: hub_id,
    only: permissions as Permission[],
  })),
  sessionId: `key:${id}`,
  steppedUpAt: null,
  apiKey: { id, name },
});

/** Keys of programs, by their hash, with a short cache. */
export class ApiKeys {
  readonly #deps: Deps;
  readonly #cache: KeyedCache;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#cache = new KeyedCache({ elapsed: () => deps.clock.elapsed(), minAgeMs: 0, maxAgeMs: CACHED_MS });
  }

  /** The person of a key at `now`, with what it opens; null when it is unknown, revoked or expired, or its person cannot sign in. */
  async find(key: string, now: Date): Promise<StaffActor | null> {
    if (!SHAPE.test(key)) return null;
    const hash = sha256(key);
    const { value: row } = await this.#cache.getFresh(null, hash, () => findApiKey(this.#deps.db, hash), {
      isCacheable: (found) => found !== null,
      bytes: KEY_BYTES,
    });
    if (!row || row.expires_at <= now) return null;
    await this.#touch(row, now);
    return actorOf(row);
  }

  /** Removes a person's keys, or (null) all, from this process's cache. */
  drop(staffId: StaffId | null): void {
    if (staffId === null) this.#cache.clear();
    else this.#cache.dropValues<ApiKeyRow>(({ staff }) => staff.id === staffId);
  }

  /** Stores the use of a key, at most once a minute. */
  async #touch(row: ApiKeyRow, now: Date): Promise<void> {
    if (row.last_used_at && now.getTime() - row.last_used_at.getTime() < TOUCH_EVERY_MS) return;
    row.last_used_at = now;
    await touchApiKey(this.#deps.db, row.id, now);
  }
}
