import { timingSafeEqual } from "node:crypto";

import { poolState, queryOne, sql } from "@marketday/db";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";

import type { Deps } from "../deps.ts";
import { notFound } from "../lib/app-error.ts";

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

const isSame = (given: string, wanted: string) =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));

/**
 * Who may read the figures (failures.md G6): whoever shows `METRICS_TOKEN`, and this machine itself. A proxy on this
 * machine is not it: what it passes on says for whom.
 */
function mayRead(request: Pick<FastifyRequest, "headers" | "socket">, token: string | null): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (token !== null && given !== undefined && Buffer.byteLength(given) === given.length && isSame(given, token))
    return true;
  const passedOn = request.headers["x-forwarded-for"] ?? request.headers.forwarded ?? request.headers["x-real-ip"];
  return passedOn === undefined && LOOPBACK.has(request.socket.remoteAddress ?? "");
}

const Waiting = z.object({ mails: z.number(), events: z.number(), oldest_mail: z.number() });

/** How long requests take by route and status, the process's own figures, the pool, and what waits to be sent: `/metrics`. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    const registry = new Registry();
    const registers = [registry];
    const durations = new Histogram({
      name: "http_request_duration_seconds",
      help: "How long requests took, by the route's pattern.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    const connections = new Gauge({
      name: "marketday_db_connections",
      help: "Connections to Postgres, and callers who wait for one.",
      labelNames: ["state"],
      registers,
    });
    const due = new Gauge({
      name: "marketday_due",
      help: "What is due and not sent yet.",
      labelNames: ["kind"],
      registers,
    });
    const oldest = new Gauge({
      name: "marketday_oldest_due_mail_seconds",
      help: "Age of the oldest mail that should be out by now.",
      registers,
    });

    // Looking a series up by its labels for each request costs more than counting.
    const series = new Map<string, ReturnType<typeof durations.labels>>();
    app.addHook("onResponse", (request, reply, done) => {
      const route = request.routeOptions.url ?? "none";
      const key = `${request.method} ${reply.statusCode} ${route}`;
      let one = series.get(key);
      if (!one) series.set(key, (one = durations.labels(request.method, route, String(reply.statusCode))));
      one.observe(reply.elapsedTime / 1000);
      done();
    });

    let started = false;
    app.get("/metrics", { config: { session: "none" }, schema: { hide: true } }, async (request, reply) => {
      if (!mayRead(request, deps.env.metricsToken)) throw notFound();
      if (!started) collectDefaultMetrics({ register: registry });
      started = true;
      const now = deps.clock.now();
      // Without a database the rest is worth having all the more.
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
