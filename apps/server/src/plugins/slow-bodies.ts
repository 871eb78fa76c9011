import { Second } from "@marketday/domain/time";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How long a body may take to arrive, ms; 3 s where nothing is said. */
    bodyWithinMs?: number;
  }
}

const USUAL_MS = 3 * Second.ms;

/**
 * Cuts a request whose body dribbles in (failures.md I2). Node's own limit is one for all routes, and the photos of a
 * problem report take longer on a phone than a basket does. `patience`: times every limit.
 */
export default fp<{ patience: number }>(
  async (app: FastifyInstance, { patience }) => {
    app.addHook("onRequest", (request, _reply, done) => {
      const { raw } = request;
      const hasBody = raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0;
      if (hasBody && !raw.complete) {
        const withinMs = patience * (request.routeOptions.config.bodyWithinMs ?? USUAL_MS);
        const timer = setTimeout(() => raw.destroy(), withinMs);
        timer.unref();
        const stop = () => clearTimeout(timer);
        raw.once("end", stop).once("close", stop);
      }
      done();
    });
  },
  { name: "slow-bodies" },
);
