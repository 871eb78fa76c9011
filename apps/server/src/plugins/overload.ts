import underPressure from "@fastify/under-pressure";
import { Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { unavailable } from "../lib/app-error.ts";

/** Whoever watches the process is answered as long as it lives. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

function refuse(request: FastifyRequest): void {
  if (PROBES.has(request.url)) return;
  throw unavailable("The market is very busy. Please try again in a moment.", "overloaded");
}

/** A server that is two seconds behind says 503 at once, before it does anything, rather than fall further behind. `RATE_LIMITS=off` lifts this too. `patience`: times the limit and the interval it is measured over. */
export default fp<{ deps: Deps; timeoutFactor: number }>(
  async (app: FastifyInstance, { deps, timeoutFactor: patience }) => {
    if (!deps.env.rateLimits) return;
    await app.register(underPressure, {
      maxEventLoopDelay: patience * 2 * Second.ms,
      // An interval in which the process got no time at all counts as an endless delay.
      sampleInterval: patience * Second.ms,
      exposeStatusRoute: false,
      pressureHandler: refuse,
    });
  },
  { name: "overload" },
);
