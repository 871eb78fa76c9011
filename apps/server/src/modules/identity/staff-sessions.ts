import { type Role, STAFF_SESSION } from "@marketday/domain/staff";
import { Minute, Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { KeyedCache } from "../../lib/cache.ts";
import { staffTokens } from "../../lib/tokens.ts";
import { asStaffId, type StaffActor, type StaffId } from "./context.ts";
import { findStaffSession, type StaffSessionRow, touchStaffSession } from "./staff-session-store.ts";

/** Time a session is cached; notifications drop it sooner. */
const CACHED_MS = 1 * Second.ms;
const TOUCH_EVERY_MS = 1 * Minute.ms;
/** Estimated memory of one. */
const SESSION_BYTES = 2048;

/** An open session of the staff. */
export interface StaffSession {
  actor: StaffActor;
  endsAt: Date;
}

const endOf = ({ created_at, last_seen_at }: StaffSessionRow): Date =>
  new Date(Math.min(created_at.getTime() + STAFF_SESSION.absoluteMs, last_seen_at.getTime() + STAFF_SESSION.idleMs));

const actorOf = ({ id, stepped_up_at, staff }: StaffSessionRow): StaffActor => ({
  type: "staff",
  staffId: asStaffId(staff.id),
  email: staff.email,
  name: staff.name,
  // A check of the database holds the roles.
  grants: staff.grants.map(({ role, hub_id }) => ({ role: role as Role, hubId: hub_id })),
  sessionId: id,
  steppedUpAt: stepped_up_at,
});

/** An open session as requests have it. */
export const toStaffSession = (row: StaffSessionRow): StaffSession => ({ actor: actorOf(row), endsAt: endOf(row) });

/** The staff's sessions, by token, with a short cache. */
export class StaffSessions {
  readonly #deps: Deps;
  readonly #tokens: ReturnType<typeof staffTokens>;
  readonly #cache: KeyedCache;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#tokens = staffTokens(deps.env.sessionSecrets);
    this.#cache = new KeyedCache({ elapsed: () => deps.clock.elapsed(), minAgeMs: 0, maxAgeMs: CACHED_MS });
  }

  /** The signed token of a session's cookie. */
  sign(sessionId: string): string {
    return this.#tokens.sign(sessionId);
  }

  /** The open session of a token at `now`; null when it is not ours, has ended, or its person was disabled. */
  async find(token: string, now: Date): Promise<StaffSession | null> {
    const row = await this.#findRow(token, now);
    if (!row) return null;
    await this.#touch(row, now);
    return toStaffSession(row);
  }

  /** As `find`, but not a use of the session: an open page does not prolong it. */
  async recheck(token: string, now: Date): Promise<StaffSession | null> {
    const row = await this.#findRow(token, now);
    return row && toStaffSession(row);
  }

  /** Removes a person's sessions, or (null) all, from this process's cache. */
  drop(staffId: StaffId | null): void {
    if (staffId === null) this.#cache.clear();
    else this.#cache.dropValues<StaffSessionRow>(({ staff }) => staff.id === staffId);
  }

  /** The row of an open session. */
  async #findRow(token: string, now: Date): Promise<StaffSessionRow | null> {
    const sessionId = this.#tokens.read(token);
    if (sessionId === null) return null;
    const { value: row } = await this.#cache.getFresh(
      null,
      sessionId,
      () => findStaffSession(this.#deps.db, sessionId),
      { isCacheable: (found) => found !== null, bytes: SESSION_BYTES },
    );
    const isOpen = row && row.ended_at === null && row.staff.disabled_at === null && now < endOf(row);
    return isOpen ? row : null;
  }

  /** Stores the use of a session, at most once a minute. */
  async #touch(row: StaffSessionRow, now: Date): Promise<void> {
    if (now.getTime() - row.last_seen_at.getTime() < TOUCH_EVERY_MS) return;
    row.last_seen_at = now;
    await touchStaffSession(this.#deps.db, { id: row.id, staffId: row.staff.id, now });
  }
}
