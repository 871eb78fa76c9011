import { Socket } from "node:net";

import { Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How long a body may take to arrive, ms; 3 s where nothing is said. */
    bodyWithinMs?: number;
  }
}

const USUAL_MS = 3 * Second.ms;
/** How long a connection stays after its refusal, half-closed, so that the sender reads the answer. */
const LINGER_MS = 2 * Second.ms;

/**
 * Ends a connection whose request was answered before its body had arrived: says so, half-closes after the answer, and
 * is gone after `LINGER_MS` at most. Closing at once would make the network drop the answer that is still on its way.
 */
function closeAfterAnswer({ raw }: FastifyRequest, reply: FastifyReply): void {
  void reply.header("connection", "close");
  const { socket } = raw;
  // Node calls this when the last answer of a connection is written.
  socket.destroySoon = () => {
    // What is still on its way is not read: it would only fill memory.
    raw.unpipe();
    raw.pause();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

const hasBody = ({ headers }: FastifyRequest["raw"]): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Cuts a request whose body dribbles in (failures.md I2). Node's own limit is one for all routes, and the photos of a
 * problem report take longer on a phone than a basket does. A refusal that comes before the whole body closes the connection. `patience`: times every limit.
 */
export default fp<{ timeoutFactor: number }>(
  async (app: FastifyInstance, { timeoutFactor: patience }) => {
    app.addHook("onRequest", (request, _reply, done) => {
      const { raw } = request;
      if (hasBody(raw) && !raw.complete) {
        const withinMs = patience * (request.routeOptions.config.bodyWithinMs ?? USUAL_MS);
        const timer = setTimeout(() => raw.destroy(), withinMs);
        timer.unref();
        const stop = () => clearTimeout(timer);
        raw.once("end", stop).once("close", stop);
      }
      done();
    });
    app.addHook("onSend", (request, reply, payload, done) => {
      const { raw } = request;
      if (raw.complete || !hasBody(raw) || !(raw.socket instanceof Socket)) return done(null, payload);
      // A small body arrives with its headers and is only not taken apart yet.
      setImmediate(() => {
        if (!raw.complete) closeAfterAnswer(request, reply);
        done(null, payload);
      });
    });
  },
  { name: "slow-bodies" },
);
