import { createDb, openQueues } from "@marketday/db";
import type { FastifyBaseLogger } from "fastify";

import type { Deps } from "./deps.ts";
import type { Env } from "./env.ts";
import { createBotCheck } from "./gateways/bot-check/create-bot-check.ts";
import { createGeocoder } from "./gateways/geocoder/create-geocoder.ts";
import { identifyWebhook } from "./gateways/identify/webhook.ts";
import { createMailer } from "./gateways/mailer/create-mailer.ts";
import { createPayments } from "./gateways/payments/create-payments.ts";
import { PublicCache } from "./lib/cache.ts";
import { databaseClock } from "./lib/clock.ts";
import { mailTemplates } from "./mail-templates.ts";
import { finishChallenge } from "./modules/checkout/resume-attempt.ts";
import { grantGiftCard } from "./modules/gift-cards/grant-gift-card.ts";
import { registerChargeHandlers } from "./modules/payments/handlers.ts";
import { grantWagonPass } from "./modules/wagon-pass/grant-wagon-pass.ts";

registerChargeHandlers({
  challengeAnswered: async (ctx, attemptId, charge) => (await finishChallenge(ctx, attemptId, charge))?.kind ?? null,
  grant: { "gift-card": grantGiftCard, "wagon-pass": grantWagonPass },
});

/** Makes the things all parts share. `overrides` is how tests put in their clock and failpoints. */
export async function createDeps(
  env: Env,
  url: string,
  log: FastifyBaseLogger,
  overrides: Partial<Deps> = {},
): Promise<Deps> {
  const db =
    overrides.db ??
    createDb({
      url,
      applicationName: "marketday server",
      onPoolError: (error) => log.warn({ err: error }, "database connection lost"),
    });
  const clock = overrides.clock ?? (await databaseClock(db));
  return {
    env,
    db,
    queues: openQueues(db),
    clock,
    log,
    cache: new PublicCache({ elapsed: () => clock.elapsed() }),
    mailer: createMailer(env, log),
    mailTemplates,
    payments: createPayments(env, db, clock),
    geocoder: createGeocoder(env),
    botCheck: createBotCheck(env),
    identify: env.identifyWebhookUrl === null ? null : identifyWebhook(env.identifyWebhookUrl),
    failpoint: async () => undefined,
    ...overrides,
  };
}
