import { queryOne, sql } from "@marketday/db";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";

import type { Deps } from "../deps.ts";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * Makes `/readyz` return 503, so that a load balancer stops sending requests, and every response closes its
     * connection, so that clients reconnect to another server. Requests are still served (failures D10).
     */
    startDraining(): void;
  }
}

/** `/healthz`: the process runs. `/readyz`: it accepts requests and its database responds. */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    let draining = false;
    app.decorate("startDraining", () => void (draining = true));
    app.server.prependListener("request", (_request, response) => {
      if (draining) response.shouldKeepAlive = false;
    });
    app.get("/healthz", { config: { session: "none" }, schema: { hide: true } }, async () => ({ status: "ok" }));
    app.get("/readyz", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) => {
      const skewMs = Math.round(deps.clock.offset());
      const database = await queryOne(deps.db, sql`select 1 as one`, z.object({ one: z.number() })).then(
        () => true,
        () => false,
      );
      const ready = database && !draining;
      void reply.code(ready ? 200 : 503).header("cache-control", "no-store");
      return {
        status: ready ? "ready" : draining ? "draining" : "no database",
        clockSkewMs: skewMs,
        clockWarning: Math.abs(skewMs) > 5000,
      };
    });
  },
  { name: "health" },
);
