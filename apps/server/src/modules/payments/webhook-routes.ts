import type { FastifyPluginAsync } from "fastify";
import Stripe from "stripe";

import type { Deps } from "../../deps.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import { takeWebhook } from "./take-webhook.ts";

/** Seconds that a signature stays good. */
const TOLERANCE = 300;
const LIMIT = 512 * 1024;

/**
 * `POST /webhooks/stripe`, with `PAYMENTS=stripe` alone: the raw body and its signature decide, no cookie does. 400 for
 * anything that Stripe did not sign in the last five minutes; 503 when an event cannot be worked on now, so that it comes again.
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
        const signature = request.headers["stripe-signature"];
        let event: Stripe.Event;
        try {
          event = Stripe.webhooks.constructEvent(
            request.body as Buffer,
            typeof signature === "string" ? signature : "",
            stripe.webhookSecret,
            TOLERANCE,
            undefined,
            deps.clock.now().getTime(),
          );
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
