import { type DeliveryChange, getEvents, type LiveEvents as EventsByName } from "@marketday/contracts/admin/events";
import { can } from "@marketday/domain/staff";
import { Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { AppError } from "../lib/app-error.ts";
import type { StaffId } from "../modules/identity/context.ts";
import type { StaffSession } from "../modules/identity/staff-sessions.ts";

declare module "fastify" {
  interface FastifyInstance {
    liveEvents: LiveEvents;
  }
}

/** A comment is sent at this interval, so that proxies do not close a quiet stream and a dead one is noticed. */
const HEARTBEAT_MS = 20 * Second.ms;
/** Changes of this time are sent together: many shoppers order at once. */
const COLLECT_MS = 300;
/** Until a browser reconnects after a stream has ended. */
const RECONNECT_MS = 2 * Second.ms;
/** Bytes that wait for a reader, beyond which the stream ends: the page reconnects and rereads. */
const WAITING_BYTES_MAX = 64 * 1024;
const STREAMS_MAX = 10;
/** Over plain http a browser opens six connections to a host. */
const PLAIN_STREAMS_MAX = 4;

type EventName = keyof EventsByName;
const textOf = <N extends EventName>(name: N, data: EventsByName[N]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

interface Stream {
  session: StaffSession;
  raw: FastifyReply["raw"];
  /** The session as it is now; null when it has ended. */
  recheck(): Promise<StaffSession | null>;
}

/** The open event streams of the staff's pages in this process (failures.md N15). */
class LiveEvents {
  /** The id of the admin app's build. */
  build: string | null = null;
  readonly #streams = new Set<Stream>();
  readonly #changes = new Map<string, { name: "orders" | "day"; change: DeliveryChange }>();
  #hasNewEntries = false;
  #hasNewProducts = false;
  #timer: NodeJS.Timeout | undefined;
  #isDraining = false;

  get size(): number {
    return this.#streams.size;
  }

  /** Adds a stream, whose headers are sent at once. @throws AppError 429 */
  open(request: FastifyRequest, reply: FastifyReply, stream: Pick<Stream, "session" | "recheck">): void {
    const { sessionId } = stream.session.actor;
    const ofSession = [...this.#streams].filter(({ session }) => session.actor.sessionId === sessionId).length;
    if (ofSession >= (request.protocol === "https" ? STREAMS_MAX : PLAIN_STREAMS_MAX))
      throw new AppError(
        429,
        "Too many pages of the back office are open in this browser to update all of them.",
        { code: "too_many_streams" },
        { "retry-after": "60" },
      );
    reply.hijack();
    const { raw } = reply;
    // The browser left while its session was read: its close event has passed.
    if (raw.destroyed) return;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // nginx passes the events on as they come.
      "x-accel-buffering": "no",
      // A connection that is kept after its stream would hold up a server that closes.
      connection: "close",
    });
    // A little different for each page, so that 200 of them do not return in the same moment.
    raw.write(`retry: ${RECONNECT_MS + Math.floor(Math.random() * RECONNECT_MS)}\n\n`);
    if (this.#isDraining) {
      raw.end();
      return;
    }
    const added: Stream = { ...stream, raw };
    this.#streams.add(added);
    raw.on("close", () => this.#streams.delete(added));
    raw.on("error", () => this.#streams.delete(added));
    this.#write(added, textOf("ready", { build: this.build }));
    // Its access may have changed between the check and now.
    void this.#recheck(added);
  }

  /** Sends a change to the people who have a role in its market, together with other changes of the same moment. */
  publish(name: "orders" | "day", change: DeliveryChange): void {
    if (this.#streams.size === 0) return;
    this.#changes.set(`${name} ${change.deliveryId}`, { name, change });
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  /** Sends that products changed to the people who may read any, together with other changes of the same moment. */
  productsChanged(): void {
    if (this.#streams.size === 0) return;
    this.#hasNewProducts = true;
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  /** Sends that the audit log has new entries to the people who may read any, together with other changes of the same moment. */
  auditWritten(): void {
    if (this.#streams.size === 0) return;
    this.#hasNewEntries = true;
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  /** Sends that a person's roles or sessions changed, and ends the streams of their ended sessions; null: of anyone. */
  staffChanged(staffId: StaffId | null): void {
    for (const stream of this.#streams)
      if (staffId === null || stream.session.actor.staffId === staffId) void this.#recheck(stream, staffId !== null);
  }

  /** Sends that all is to be reread, because notifications were lost. */
  reread(): void {
    for (const stream of this.#streams) this.#write(stream, textOf("reread", {}));
  }

  /** Sends a comment on every stream, and ends those whose session has ended. */
  async beat(): Promise<void> {
    await Promise.all(
      [...this.#streams].map((stream) => {
        this.#write(stream, ":\n\n");
        return this.#recheck(stream);
      }),
    );
  }

  /** Ends all streams, and each new one at once: their pages reconnect to another server, or to the next start. */
  drain(): void {
    this.#isDraining = true;
    clearTimeout(this.#timer);
    for (const { raw } of this.#streams) raw.end();
    this.#streams.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    const changes = [...this.#changes.values()].map(({ name, change }) => ({
      hubId: change.hubId,
      text: textOf(name, change),
    }));
    this.#changes.clear();
    const entries = this.#hasNewEntries ? textOf("audit", {}) : "";
    this.#hasNewEntries = false;
    const products = this.#hasNewProducts ? textOf("products", {}) : "";
    this.#hasNewProducts = false;
    for (const stream of this.#streams) {
      const { grants } = stream.session.actor;
      const isSeen = (of: number) => grants.some(({ hubId }) => hubId === null || hubId === of);
      const seen = changes.flatMap((change) => (isSeen(change.hubId) ? change.text : [])).join("");
      const text = [
        seen,
        can(grants, "audit.read", "any") ? entries : "",
        can(grants, "orders.read", "any") ? products : "",
      ].join("");
      if (text !== "") this.#write(stream, text);
    }
  }

  #write(stream: Stream, text: string): void {
    const { raw } = stream;
    if (raw.writableLength > WAITING_BYTES_MAX) {
      this.#streams.delete(stream);
      raw.destroy();
    } else raw.write(text);
  }

  async #recheck(stream: Stream, isChanged = false): Promise<void> {
    let session: StaffSession | null;
    try {
      session = await stream.recheck();
    } catch {
      // Without a database nothing is known, and nothing is sent either; the next heartbeat checks again.
      return;
    }
    if (!this.#streams.has(stream)) return;
    if (isChanged || session === null) this.#write(stream, textOf("staff", {}));
    if (session !== null) {
      stream.session = session;
      return;
    }
    this.#streams.delete(stream);
    stream.raw.end();
  }
}

/** Decorates the server with `liveEvents`, which end before it closes. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const events = new LiveEvents();
    app.decorate("liveEvents", events);
    const beat = () =>
      void events.beat().catch((error: unknown) => deps.log.warn({ err: error }, "a heartbeat failed"));
    const timer = setInterval(beat, HEARTBEAT_MS).unref();
    app.onDraining(() => events.drain());
    app.addHook("preClose", (done) => {
      clearInterval(timer);
      events.drain();
      done();
    });
  },
  { name: "live-events", dependencies: ["health", "staff-session"] },
);

/** `GET /api/admin/events`. */
export async function eventRoutes(api: FastifyInstance): Promise<void> {
  api.route({
    ...getEvents,
    // It would wait for the end of the stream.
    exposeHeadRoute: false,
    handler: (request, reply) =>
      api.liveEvents.open(request, reply, {
        session: request.staffSession!,
        recheck: () => api.recheckStaffSession(request),
      }),
  });
}
