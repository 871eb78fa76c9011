import underPressure from "@fastify/under-pressure";
import { Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { unavailable } from "../lib/app-error.ts";

/** Paths that monitoring reads; never rejected. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

function reject(request: FastifyRequest): void {
  if (PROBES.has(request.url)) return;
  throw unavailable("The market is very busy. Please try again in a moment.", "overloaded");
}

/**
 * Returns 503 at once while the event loop is two seconds behind, before any work is done. Disabled by `RATE_LIMITS=off`.
 * `timeoutFactor` multiplies the limit and the interval of its samples.
 */
export default fp<{ deps: Deps; timeoutFactor: number }>(
  async (app: FastifyInstance, { deps, timeoutFactor }) => {
    if (!deps.env.rateLimits) return;
    await app.register(underPressure, {
      maxEventLoopDelay: timeoutFactor * 2 * Second.ms,
      // An interval in which the process got no CPU time counts as an infinite delay.
      sampleInterval: timeoutFactor * Second.ms,
      exposeStatusRoute: false,
      pressureHandler: reject,
    });
  },
  { name: "overload" },
);
