import { queryOne, sql } from "@marketday/db";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";

import type { Deps } from "../deps.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** A health check with the same answer as the one before it, which is not logged: balancers send one each second. */
    isRepeatedCheck: boolean;
  }
  interface FastifyInstance {
    /**
     * Makes `/readyz` return 503, so that a load balancer stops sending requests, and every response closes its
     * connection, so that clients reconnect to another server. Requests are still served (failures D10).
     */
    startDraining(): void;
    /** Calls `end` when `startDraining` is called, for responses that would last. */
    onDraining(end: () => void): void;
    /** `/readyz` returns 503 until this work has ended, well or not. */
    readyAfter(work: Promise<unknown>): void;
  }
}

/** `/healthz`: the process runs. `/readyz`: it accepts requests, what they need is in place, and its database responds. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    let draining = false;
    const enders: (() => void)[] = [];
    app.decorate("onDraining", (end: () => void) => void enders.push(end));
    app.decorate("startDraining", () => {
      draining = true;
      for (const end of enders) end();
    });
    const starting = new Set<Promise<unknown>>();
    app.decorate("readyAfter", (work) => {
      starting.add(work);
      const end = () => void starting.delete(work);
      work.then(end, end);
    });
    app.server.prependListener("request", (_request, response) => {
      if (draining) response.shouldKeepAlive = false;
    });
    app.decorateRequest("isRepeatedCheck", false);
    const answers = new Map<string, string>();
    const noteAnswer = (request: FastifyRequest, path: string, status: string): void => {
      request.isRepeatedCheck = answers.get(path) === status;
      answers.set(path, status);
    };
    app.get("/healthz", { config: { session: "none" }, schema: { hide: true } }, (request, reply) => {
      noteAnswer(request, "/healthz", "ok");
      void reply.send({ status: "ok" });
    });
    app.get("/readyz", { config: { session: "none" }, schema: { hide: true } }, async (request, reply) => {
      const skewMs = Math.round(deps.clock.offset());
      const database = await queryOne(deps.db, sql`select 1 as one`, z.object({ one: z.number() })).then(
        () => true,
        () => false,
      );
      const ready = database && !draining && starting.size === 0;
      const status = ready ? "ready" : draining ? "draining" : database ? "starting" : "no database";
      noteAnswer(request, "/readyz", status);
      void reply.code(ready ? 200 : 503).header("cache-control", "no-store");
      return {
        status,
        clockSkewMs: skewMs,
        clockWarning: Math.abs(skewMs) > 5000,
      };
    });
  },
  { name: "health" },
);
