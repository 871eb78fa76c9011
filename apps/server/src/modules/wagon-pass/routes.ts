import { buyWagonPass, cancelWagonPass, getWagonPass, type WagonPass } from "@marketday/contracts/wagon-pass";
import { wagonPassPrice } from "@marketday/domain/wagon-pass";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../identity/guards.ts";
import { buy } from "../payments/buy.ts";
import { paymentTries } from "../payments/payment-tries.ts";
import { endPass } from "./end-pass.ts";
import { type PassRow, lockCustomerPass } from "./pass-sql.ts";
import { findPass, isBeingBought } from "./store.ts";

/** Whether the renewal that is due was not paid, so that the shopper may pay it. */
const isOverdue = ({ status, declined }: PassRow): boolean => status === "active" && declined > 0;

const serializePass = (row: PassRow | null): WagonPass =>
  row
    ? {
        status: row.status,
        plan: row.plan,
        renewsOn: row.renews_on,
        endsOn: row.ends_on,
        isOverdue: isOverdue(row),
      }
    : { status: null, plan: null, renewsOn: null, endsOn: null, isOverdue: false };

export const wagonPassRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getWagonPass,
      handler: async ({ actor }) => serializePass(await findPass(deps.db, requireCustomer(actor))),
    });
    app.route({
      ...buyWagonPass,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const { plan, card, confirmationToken, paymentMethodId } = request.body;
        const before = await findPass(deps.db, customerId);
        const overdue = before && isOverdue(before) && before.plan === plan ? before : null;
        const result = await buy(app.contextOf(request), customerId, {
          amountCents: wagonPassPrice(plan),
          purpose: { kind: "wagon-pass", plan, passId: overdue?.id ?? null },
          card: card ?? null,
          token: confirmationToken ?? null,
          paymentMethodId: paymentMethodId ?? null,
          save: true,
          tries: paymentTries(app.contextOf(request), limits, customerId, request.ip),
          idempotencyKey: request.idempotency ? `${request.idempotency.actor} ${request.idempotency.key}` : null,
          guard: async (tx) => {
            await lockCustomerPass(tx, customerId);
            const pass = await findPass(tx, customerId);
            const isDue = overdue !== null && pass?.id === overdue.id && pass.renews_on === overdue.renews_on;
            if (pass?.status === "active" && !isDue)
              throw new AppError(409, "Your wagon pass is active already.", { code: "active" });
            if (await isBeingBought(tx, customerId))
              throw new AppError(
                409,
                "A payment for your wagon pass is under way. Please finish it, or try again in ten minutes.",
                { code: "being_bought" },
              );
          },
        });
        if (result.kind === "challenge")
          return reply
            .code(202)
            .send({ challenge: { paymentId: result.paymentId, clientSecret: result.clientSecret } });
        return serializePass(await findPass(deps.db, customerId));
      },
    });
    app.route({
      ...cancelWagonPass,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        await endPass(app.contextOf(request), customerId);
        return serializePass(await findPass(deps.db, customerId));
      },
    });
  };
