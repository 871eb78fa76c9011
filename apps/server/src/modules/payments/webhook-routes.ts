import type { FastifyPluginAsync } from "fastify";

import type { Deps } from "../../deps.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { ProviderEvent } from "../../gateways/payments/stripe/webhook.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import { takeWebhook } from "./take-webhook.ts";

const LIMIT = 512 * 1024;

/**
 * `POST /webhooks/stripe`, only with `PAYMENTS=stripe`, authenticated by the signature of the raw body. 400 for anything
 * that Stripe did not sign in the last five minutes; 503 when an event cannot be processed now, so that Stripe sends it again.
 */
export const webhookRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: LIMIT }, (_request, body, done) => done(null, body));
    app.route({
      method: "POST",
      url: "/webhooks/stripe",
      bodyLimit: LIMIT,
      schema: { hide: true },
      handler: async (request) => {
        const { stripe } = deps.env;
        if (deps.payments.name !== "stripe" || !stripe) throw notFound();
        // Stripe's library, which only a market that pays through it loads.
        const { parseWebhook } = await import("../../gateways/payments/stripe/webhook.ts");
        let event: ProviderEvent;
        try {
          const signature = request.headers["stripe-signature"];
          event = parseWebhook(request.body as Buffer, signature, stripe.webhookSecret, deps.clock.now());
        } catch (error) {
          request.log.warn({ err: error }, "a webhook without a good signature");
          throw new AppError(400, "This event is not signed as it should be.", { code: "bad_signature" });
        }
        const ctx = { now: deps.clock.now(), actor: { type: "system" as const, job: "webhook" }, deps };
        try {
          return { received: true, outcome: await takeWebhook(ctx, event) };
        } catch (error) {
          if (error instanceof ProviderUnavailable)
            throw unavailable("Please send this event again.", "payments_down", 30);
          throw error;
        }
      },
    });
  };
