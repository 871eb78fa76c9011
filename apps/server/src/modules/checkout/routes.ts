import {
  completeCheckout as completeCall,
  placeOrder as placeCall,
  resumeCheckout as resumeCall,
  quoteCheckout as quoteCall,
} from "@marketday/contracts/checkout";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { compiledSerializer } from "../../lib/compiled-serializer.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer, requireHub, requireShopper } from "../identity/guards.ts";
import { paymentTries } from "../payments/payment-tries.ts";
import { type CheckoutOutcome, IN_PROGRESS, type Refusal, type RefusalCode, refuse, Refused } from "./outcome.ts";
import { placeOrder } from "./place-order.ts";
import { quoteCheckout } from "./price-checkout.ts";
import { completeChallenge, resumeByKey } from "./resume-attempt.ts";

const STATUS: Readonly<Record<RefusalCode, number>> = {
  card_declined: 402,
  insufficient_funds: 402,
  card_limit: 402,
  card_unusable: 402,
  card_expired: 402,
  card_incorrect: 402,
  card_unsupported: 402,
  bank_unavailable: 402,
  challenge: 402,
  challenge_expired: 402,
  payments_down: 503,
  interrupted: 503,
  payment_limit: 429,
  payment_required: 422,
  saved_card_required: 422,
  address_required: 422,
  outside_hub: 422,
  pickup_required: 422,
  bad_code: 422,
  no_delivery: 422,
  past_cutoff: 409,
  sold_out: 409,
  cart_empty: 409,
  other_market: 409,
  superseded: 409,
  already_ordered: 409,
  code_gone: 409,
  credit_changed: 409,
  total_changed: 409,
  market_changed: 409,
  cart_changed: 409,
  still_running: 409,
};

/** A refusal as the error of the call. */
function toError({ code, message, field, items, quote, orderIds, retryAfter }: Refusal): AppError {
  const status = STATUS[code];
  const wait = retryAfter ?? (status === 503 ? 5 : undefined);
  return new AppError(
    status,
    message,
    {
      code,
      ...(field && { field }),
      ...(items !== undefined && { items }),
      ...(quote && { quote }),
      ...(orderIds && { orderId: orderIds[0], orderIds }),
    },
    wait === undefined ? {} : { "retry-after": String(wait) },
  );
}

/** 201 with the orders, 202 with the bank's challenge. @throws AppError for a refusal */
function send(reply: FastifyReply, outcome: CheckoutOutcome) {
  if (outcome.kind === "placed")
    return reply.code(201).send({ orderId: outcome.orderIds[0]!, orderIds: outcome.orderIds });
  if (outcome.kind === "challenge")
    return reply.code(202).send({ challenge: { attemptId: outcome.attemptId, clientSecret: outcome.clientSecret } });
  throw toError(outcome.kind === "refused" ? outcome : refuse(IN_PROGRESS, { retryAfter: 1 }));
}

const keyOf = ({ idempotency }: FastifyRequest) => (idempotency ? `${idempotency.actor} ${idempotency.key}` : null);

export const checkoutRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    /** Limits wrong discount codes: `bad_code` counts (docs/product.md §17). */
    const guardCode = <T>(customerId: number, code: string | null | undefined, work: () => Promise<T>) =>
      code ? limits.code.guard({ customerId }, "discountCode", work) : work();

    app.route({
      ...quoteCall,
      serializerCompiler: compiledSerializer,
      handler: async (request) => {
        const { actor, body } = request;
        const shopper = requireShopper(actor);
        const hubId = requireHub(actor);
        const work = () =>
          quoteCheckout(app.contextOf(request), shopper, hubId, body).catch((error: unknown) => {
            throw error instanceof Refused ? toError(error.refusal) : error;
          });
        const quote = await (body.discountCode ? guardCode(requireCustomer(actor), body.discountCode, work) : work());
        if (!quote) throw new AppError(409, "This market has no delivery day planned.", { code: "no_delivery" });
        return quote;
      },
    });
    app.route({
      ...placeCall,
      serializerCompiler: compiledSerializer,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const hubId = requireHub(request.actor);
        const {
          expectedTotal,
          expectedDeliveryDate: expectedDay = null,
          expectedItems = null,
          expectedHubId = null,
          ...choice
        } = request.body;
        return guardCode(customerId, choice.discountCode, async () =>
          send(
            reply,
            await placeOrder(app.contextOf(request), customerId, hubId, {
              source: "checkout",
              choice,
              expectedTotal,
              expectedDay,
              expectedItems,
              expectedHubId,
              idempotencyKey: keyOf(request),
              tries: paymentTries(app.contextOf(request), limits, customerId, request.ip),
            }),
          ),
        );
      },
    });
    app.route({
      ...resumeCall,
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const outcome = await resumeByKey(app.contextOf(request), customerId, request.body.key);
        if (!outcome) throw new AppError(404, "No order was placed.", { code: "no_attempt" });
        return send(reply, outcome);
      },
    });
    app.route({
      ...completeCall,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const { attemptId } = request.params;
        const approve = request.body.approve ?? true;
        const customerId = requireCustomer(request.actor);
        return send(reply, await completeChallenge(app.contextOf(request), customerId, attemptId, approve));
      },
    });
  };
