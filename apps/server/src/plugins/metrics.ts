import { timingSafeEqual } from "node:crypto";

import { poolState, queryOne, sql } from "@marketday/db";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";

import type { Deps } from "../deps.ts";
import { notFound } from "../lib/app-error.ts";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

const isSame = (given: string, expected: string) =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/**
 * Whether a request may read the metrics (failures.md G6): with `METRICS_TOKEN`, or from this machine. A request that a proxy
 * on this machine forwards has a forwarding header and counts as remote.
 */
function mayRead(request: Pick<FastifyRequest, "headers" | "socket">, token: string | null): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (token !== null && given !== undefined && Buffer.byteLength(given) === given.length && isSame(given, token))
    return true;
  const forwarded = request.headers["x-forwarded-for"] ?? request.headers.forwarded ?? request.headers["x-real-ip"];
  return forwarded === undefined && LOOPBACK.has(request.socket.remoteAddress ?? "");
}

const Waiting = z.object({ mails: z.number(), events: z.number(), oldest_mail: z.number() });

/** `/metrics`: request durations by route and status, process metrics, the connection pool, and messages due. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const registry = new Registry();
    const registers = [registry];
    const durations = new Histogram({
      name: "http_request_duration_seconds",
      help: "Duration of requests by the pattern of the route.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    const connections = new Gauge({
      name: "marketday_db_connections",
      help: "Connections to Postgres, and callers waiting for one.",
      labelNames: ["state"],
      registers,
    });
    const due = new Gauge({
      name: "marketday_due",
      help: "Messages that are due and not sent.",
      labelNames: ["kind"],
      registers,
    });
    const oldest = new Gauge({
      name: "marketday_oldest_due_mail_seconds",
      help: "Age of the oldest mail that is due and not sent.",
      registers,
    });

    // Cached, because looking a series up by its labels costs more than counting.
    const series = new Map<string, ReturnType<typeof durations.labels>>();
    app.addHook("onResponse", (request, reply, done) => {
      const route = request.routeOptions.url ?? "none";
      const key = `${request.method} ${reply.statusCode} ${route}`;
      let duration = series.get(key);
      if (!duration) series.set(key, (duration = durations.labels(request.method, route, String(reply.statusCode))));
      duration.observe(reply.elapsedTime / 1000);
      done();
    });

    let started = false;
    app.get("/metrics", { config: { session: "none" }, schema: { hide: true } }, async (request, reply) => {
      if (!mayRead(request, deps.env.metricsToken)) throw notFound();
      if (!started) collectDefaultMetrics({ register: registry });
      started = true;
      const now = deps.clock.now();
      // Without a database the other metrics are still returned.
      const waiting = await queryOne(
        deps.db,
        sql`select (select count(*)::int from mail where sent_at is null and (next_at is null or next_at <= ${now})) as mails,
              (select count(*)::int from identify_event where sent_at is null) as events,
              coalesce((select extract(epoch from ${now} - min(coalesce(next_at, created_at)))::float8 from mail
                where sent_at is null and (next_at is null or next_at <= ${now})), 0) as oldest_mail`,
        Waiting,
      ).catch(() => null);
      for (const [state, count] of Object.entries(poolState(deps.db))) connections.set({ state }, count);
      due.reset();
      if (waiting) {
        due.set({ kind: "mail" }, waiting.mails);
        due.set({ kind: "identify" }, waiting.events);
        oldest.set(Math.max(0, waiting.oldest_mail));
      }
      return reply
        .header("cache-control", "no-store")
        .type(registry.contentType)
        .send(await registry.metrics());
    });
  },
  { name: "metrics" },
);
