import { Day, Hour, Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { KeyedCache } from "../../lib/cache.ts";
import { type SessionPurpose, sessionTokens } from "../../lib/tokens.ts";
import { type Actor, asCustomerId, asGuestId } from "./context.ts";
import { findSession, type SessionRow } from "./session-sql.ts";
import { touchSession } from "./session-store.ts";

/** Time a session row is cached; notifications drop it sooner (docs/product.md §3). */
const CACHED_MS = 1 * Second.ms;
const TOUCH_EVERY_MS = 1 * Hour.ms;
/** Estimated memory of one. */
const SESSION_BYTES = 2048;

/** The session of a valid token. */
export interface Session {
  /** Null: its row was deleted. */
  row: SessionRow | null;
  /** The actor while the session is open. */
  actor: Actor;
  purpose: SessionPurpose;
  /** Expiry of the token. */
  expiresAt: Date;
  /** Expiry of the session without further requests. */
  endsAt: Date | null;
}

export const ANONYMOUS: Actor = { type: "anonymous" };

function actorOf(row: SessionRow | null): Actor {
  if (row?.customer_id != null)
    return { type: "customer", customerId: asCustomerId(row.customer_id), hubId: row.hub_id, sessionId: row.id };
  if (row?.guest_id != null)
    return { type: "guest", guestId: asGuestId(row.guest_id), hubId: row.hub_id!, sessionId: row.id };
  return ANONYMOUS;
}

/**
 * What a session is at `now`. `replaced`: a guest's session that ended at login; a request that was sent before the login's response
 * still has its cookie (failures.md F1). `expired`: a guest's session that is replaced silently. `ended`: the rest.
 */
export function sessionState(session: Session | null, now: Date): "open" | "expired" | "replaced" | "ended" {
  if (!session) return "ended";
  const { row, purpose, endsAt } = session;
  if (row !== null && row.ended_at === null && endsAt !== null && now < endsAt) return "open";
  if (purpose !== "guest") return "ended";
  if (row?.ended_at == null) return "expired";
  return "replaced";
}

/** The sessions of the server, by token, with a short cache. */
export class Sessions {
  readonly #deps: Deps;
  readonly #tokens: ReturnType<typeof sessionTokens>;
  readonly #cache: KeyedCache;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#tokens = sessionTokens(deps.env.sessionSecrets, deps.env.sessionAbsoluteDays);
    this.#cache = new KeyedCache({ elapsed: () => deps.clock.elapsed(), minAgeMs: 0, maxAgeMs: CACHED_MS });
  }

  /** The signed token of a session's cookie. */
  sign(sessionId: string, purpose: SessionPurpose): string {
    return this.#tokens.sign({ sessionId, purpose });
  }

  /** The cached session of a token, without waiting. */
  peek(token: string): Session | undefined {
    return this.#cache.peek<Session>(null, token)?.value;
  }

  /** The session of a token; null when the token is invalid. */
  async find(token: string): Promise<Session | null> {
    const found = await this.#cache.getFresh(null, token, () => this.#load(token), {
      isCacheable: (session) => session !== null,
      bytes: SESSION_BYTES,
    });
    return found.value;
  }

  /** Removes a session, or (null) all sessions, from this process's cache. */
  drop(sessionId: string | null): void {
    if (sessionId === null) this.#cache.clear();
    else this.#cache.dropValues<Session>(({ row }) => row?.id === sessionId);
  }

  /** Stores the use of an open session, at most once an hour. Rejects when it could not be stored. */
  async touch(session: Session, now: Date): Promise<void> {
    const { row } = session;
    if (!row || now.getTime() - row.last_seen_at.getTime() <= TOUCH_EVERY_MS) return;
    row.last_seen_at = now;
    session.endsAt = this.#expiryOf(row, session.expiresAt);
    await touchSession(this.#deps.db, row.id, now);
  }

  async #load(token: string): Promise<Session | null> {
    const claim = this.#tokens.read(token);
    if (!claim) return null;
    const row = await findSession(this.#deps.db, claim.sessionId);
    const endsAt = row && this.#expiryOf(row, claim.expiresAt);
    return { row, actor: actorOf(row), purpose: claim.purpose, expiresAt: claim.expiresAt, endsAt };
  }

  #expiryOf(row: SessionRow, tokenExpiresAt: Date): Date {
    const { sessionIdleDays, sessionAbsoluteDays } = this.#deps.env;
    return new Date(
      Math.min(
        row.last_seen_at.getTime() + sessionIdleDays * Day.ms,
        row.created_at.getTime() + sessionAbsoluteDays * Day.ms,
        tokenExpiresAt.getTime(),
      ),
    );
  }
}
