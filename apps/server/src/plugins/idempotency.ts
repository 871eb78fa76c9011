import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { AppError } from "../lib/app-error.ts";
import { claimKey, finishKey } from "../lib/idempotency-sql.ts";
import { customerActor, releaseKey, staffActor } from "../lib/idempotency-store.ts";
import { sha256 } from "../lib/tokens.ts";
import type { Actor } from "../modules/identity/context.ts";
import { requireCustomer } from "../modules/identity/guards.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Actor and key of the request's row; null without a key. */
    idempotency: { actor: string; key: string } | null;
  }
  interface FastifyContextConfig {
    /**
     * The route honors `Idempotency-Key` (docs/product.md §2), for customers, and in the admin API for the staff: with a key everyone
     * else is 401 `login_required`.
     */
    idempotent?: true;
  }
}

const replay = (reply: FastifyReply, status: number, response: unknown) =>
  reply
    .code(status)
    .header("idempotent-replayed", "true")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(response));

/** Whose key it is. @throws AppError 401 */
const ownerOf = (actor: Actor): string =>
  actor.type === "staff" ? staffActor(actor.staffId) : customerActor(requireCustomer(actor));

/**
 * Same key and body → the first response; another body 422; still running 409. When a server dies during a request, its
 * lease expires and a retry resumes the attempt (failures.md B1 to B3). Errors that change nothing are not stored: a retry
 * may succeed.
 */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }) => {
    app.decorateRequest("idempotency", null);
    const claim = async (request: FastifyRequest, reply: FastifyReply) => {
      const key = request.headers["idempotency-key"];
      if (key === undefined) return;
      if (typeof key !== "string" || !/^[\x21-\x7e]{1,200}$/.test(key))
        throw new AppError(400, "Idempotency-Key must be 1 to 200 visible characters.", {
          code: "invalid",
          field: "idempotency-key",
        });
      // No row for others: visitors would share their keys.
      const id = { actor: ownerOf(request.actor), key };
      const hash = sha256(`${request.method} ${request.url} ${JSON.stringify(request.body ?? null)}`);
      const claimed = await claimKey(deps.db, id, hash, request.now);
      if (claimed.state === "done") return replay(reply, claimed.status, claimed.response);
      if (claimed.state === "other_body")
        throw new AppError(422, "Idempotency key was used with another request.", { code: "key_reused" });
      if (claimed.state === "running")
        throw new AppError(
          409,
          "This request is still in progress.",
          { code: "still_running" },
          { "retry-after": "1" },
        );
      request.idempotency = id;
      return undefined;
    };
    const settle = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      const id = request.idempotency;
      if (!id) return payload;
      request.idempotency = null;
      if (reply.statusCode < 300 && typeof payload === "string")
        await finishKey(deps.db, id, reply.statusCode, payload);
      else await releaseKey(deps.db, id);
      return payload;
    };
    app.addHook("onRoute", (route) => {
      if (!route.config?.idempotent) return;
      route.preHandler = [claim, ...[route.preHandler ?? []].flat()];
      route.onSend = [settle, ...[route.onSend ?? []].flat()];
    });
  },
  { name: "idempotency" },
);
