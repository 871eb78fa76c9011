import {
  addPaymentMethod,
  completePaymentMethod,
  completePurchase as completePurchaseCall,
  listPaymentMethods,
  type Purchase,
  removePaymentMethod,
  resumePurchase,
  setDefaultPaymentMethod,
} from "@marketday/contracts/payments";
import { transaction } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { ProviderUnavailable, type SavedCard } from "../../gateways/payments/payments.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import type { CustomerId } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { completePurchase, resumeByKey } from "./buy.ts";
import { keepCard, serializeMethod } from "./cards.ts";
import { fulfillmentChanged } from "./fulfillment-handler.ts";
import { makeDefault } from "./method-sql.ts";
import { findMethods, findUse, removeMethod } from "./method-store.ts";
import { type PaymentTries, paymentTries, tooManyPayments } from "./payment-tries.ts";
import { findPurchase, type PurchaseRow } from "./purchase-store.ts";
import { isUnavailable, refusedPayment } from "./refused-payment.ts";

/** A question to the provider, or 503. */
async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof ProviderUnavailable)
      throw unavailable("Payments are temporarily unavailable. Your card was not saved.", "payments_down", 5);
    throw error;
  }
}

const serializePurchase = ({ purpose, amount_cents }: PurchaseRow): Purchase =>
  purpose.kind === "wagon-pass"
    ? { kind: purpose.kind, plan: purpose.plan }
    : {
        kind: purpose.kind,
        amount: toDollars(cents(amount_cents)),
        recipientEmail: purpose.recipientEmail,
        deliverOn: purpose.deliverOn,
      };

export const paymentRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    const list = async (customerId: CustomerId) =>
      (await findMethods(deps.db, customerId, deps.payments.name)).map(serializeMethod);

    const triesOf = (request: FastifyRequest, customerId: CustomerId) =>
      paymentTries(app.contextOf(request), limits, customerId, request.ip);

    app.route({ ...listPaymentMethods, handler: (request) => list(requireCustomer(request.actor)) });
    const keep = async (
      customerId: CustomerId,
      result: SavedCard,
      tries: PaymentTries,
      reply: FastifyReply,
      now: Date,
      /** Whether the provider may give this same answer again. */
      isRepeatable: boolean,
    ) => {
      if ("reason" in result) throw refusedPayment(result);
      if ("challenge" in result)
        return reply
          .code(202)
          .send({ challenge: { setupId: result.challenge.ref, clientSecret: result.challenge.clientSecret } });
      // An attempt is uncounted once, however often the challenge's result is requested.
      const kept = await keepCard({ deps, now }, customerId, result);
      if (kept.how === "new" || !isRepeatable) await tries.uncount();
      return reply.code(200).send(await list(customerId));
    };
    app.route({
      ...addPaymentMethod,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const { card = null, confirmationToken = null } = request.body;
        const tries = triesOf(request, customerId);
        const limited = (await tries.check()) ?? (await tries.count());
        if (limited) throw tooManyPayments(limited);
        try {
          const result = await answered(deps.payments.saveCard({ customerId }, { card, token: confirmationToken }));
          return await keep(customerId, result, tries, reply, request.now, false);
        } catch (error) {
          // No answer is no decline.
          if (error instanceof AppError && isUnavailable(error.details.code)) await tries.uncount();
          throw error;
        }
      },
    });
    app.route({
      ...completePaymentMethod,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const result = await answered(deps.payments.confirmCard({ customerId }, request.body.setupId));
        if (!result) throw notFound();
        return keep(customerId, result, triesOf(request, customerId), reply, request.now, true);
      },
    });
    app.route({
      ...completePurchaseCall,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const answer = await completePurchase(
          app.contextOf(request),
          customerId,
          request.params.paymentId,
          request.body.approve ?? true,
        );
        if (answer.kind === "challenge")
          return reply
            .code(202)
            .send({ challenge: { paymentId: answer.paymentId, clientSecret: answer.clientSecret } });
        return reply.code(200).send({ success: true as const });
      },
    });
    app.route({
      ...resumePurchase,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const found = await resumeByKey(app.contextOf(request), customerId, request.body.key);
        const purchase = found && (await findPurchase(deps.db, found.paymentId));
        if (!purchase) throw new AppError(404, "Nothing was bought.", { code: "no_attempt" });
        if (found.kind === "challenge")
          return reply.code(202).send({ challenge: { paymentId: found.paymentId, clientSecret: found.clientSecret } });
        return reply.code(200).send(serializePurchase(purchase));
      },
    });
    app.route({
      ...removePaymentMethod,
      handler: async ({ actor, params, now }) => {
        const customerId = requireCustomer(actor);
        const forgotten = await transaction(deps.db, async (tx) => {
          const use = await findUse(tx, customerId, params.id);
          if (!use) throw notFound();
          if (use.in_use)
            throw new AppError(
              409,
              "This card still pays for an order or your wagon pass. Choose another one for that first.",
              { code: "in_use" },
            );
          if (await removeMethod(tx, customerId, params.id, now))
            await fulfillmentChanged({ deps, now }, tx, customerId);
          return use.provider_ref;
        });
        // Ours is gone already; one that stays behind there is never used again.
        await deps.payments.deleteCard(forgotten).catch((error: unknown) => {
          deps.log.warn({ err: error, customer: customerId }, "a card was not detached at the provider");
        });
        return list(customerId);
      },
    });
    app.route({
      ...setDefaultPaymentMethod,
      handler: async ({ actor, params, now }) => {
        const customerId = requireCustomer(actor);
        await transaction(deps.db, async (tx) => {
          const isOther = await makeDefault(tx, customerId, params.id, now);
          if (isOther === null) throw notFound();
          if (isOther) await fulfillmentChanged({ deps, now }, tx, customerId);
        });
        return list(customerId);
      },
    });
  };
