import { Socket } from "node:net";

import { Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Time limit for receiving the body, ms; 3 s by default. */
    bodyWithinMs?: number;
  }
}

const DEFAULT_MS = 3 * Second.ms;
/** Time a connection stays half-closed after an early response, so that the sender can read it. */
const LINGER_MS = 2 * Second.ms;
/** A sender who sends less than this in `LINGER_MS` after an early response is cut off. */
const LINGER_BYTES = 64 * 1024;
/** The maximum of bodies that one process discards at the same time: for a hundred of 20 MB, buffers that wait for the garbage collection take 90 MB (failures.md M15). */
const MAX_DISCARDED = 4;

/** Bodies that are being discarded. */
let discarding = 0;

/**
 * Closes a connection whose request was answered before its body had arrived: half-closes it after the response and destroys
 * it after `LINGER_MS`. Closing at once would drop the response on its way.
 *
 * A browser shows the response only once it has sent the body. So the rest of a body within the route's limit is read and discarded
 * while it arrives quickly. It is not read for a longer body, for one without a length, and while `MAX_DISCARDED` others are.
 */
function closeAfterResponse({ raw, routeOptions: { bodyLimit } }: FastifyRequest, reply: FastifyReply): void {
  void reply.header("connection", "close");
  const { socket } = raw;
  const isWithinLimit = bodyLimit !== undefined && Number(raw.headers["content-length"] ?? Infinity) <= bodyLimit;
  // Node calls this when the last response of a connection is written.
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    const isDiscarded = isWithinLimit && discarding < MAX_DISCARDED;
    raw.unpipe();
    if (isDiscarded) {
      discarding += 1;
      raw.resume();
    } else raw.pause();
    socket.end();
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      if (!isDiscarded || socket.bytesRead - before < LINGER_BYTES) socket.destroy();
      before = socket.bytesRead;
    }, LINGER_MS).unref();
    socket.once("close", () => {
      clearInterval(timer);
      if (isDiscarded) discarding -= 1;
    });
  };
}

const hasBody = ({ headers }: FastifyRequest["raw"]): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Closes connections whose body arrives too slowly (failures.md I2). Node's limit is one for all routes, but the photos of a
 * problem report take longer on a phone than a cart does. A response before the end of the body closes the connection.
 * `timeoutFactor` multiplies every limit.
 */
export default fp<{ timeoutFactor: number }>(
  async (app: FastifyInstance, { timeoutFactor }) => {
    app.addHook("onRequest", (request, _reply, done) => {
      const { raw } = request;
      if (hasBody(raw) && !raw.complete) {
        const withinMs = timeoutFactor * (request.routeOptions.config.bodyWithinMs ?? DEFAULT_MS);
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
      // A small body arrives with its headers but may not be parsed yet.
      setImmediate(() => {
        if (!raw.complete) closeAfterResponse(request, reply);
        done(null, payload);
      });
    });
  },
  { name: "slow-bodies" },
);
