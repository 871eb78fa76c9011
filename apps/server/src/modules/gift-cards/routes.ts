import {
  buyGiftCard,
  listGiftCards,
  redeemGiftCard as redeemCall,
  resendGiftCard,
} from "@marketday/contracts/gift-cards";
import { transaction } from "@marketday/db";
import { addDays } from "@marketday/domain/calendar-date";
import { redemptionEntries } from "@marketday/domain/ledger";
import { GIFT_CARD_DAYS_MAX } from "@marketday/domain/limits";
import { fromDollars, cents } from "@marketday/domain/money";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, loginRequired } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { marketDate } from "../hubs/market-date.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { hubOf, requireCustomer } from "../identity/guards.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { buy } from "../payments/buy.ts";
import { paymentTries } from "../payments/payment-tries.ts";
import { loadProfile } from "../profile/load-profile.ts";
import { giftCodeHash } from "./gift-code.ts";
import { resendOwnGiftCard } from "./resend-gift-card.ts";
import { serializeGiftCard } from "./serialize.ts";
import { addCredit, findGiftCardOfPayment, findGiftCardsOf, spendGiftCard } from "./store.ts";

export const giftCardRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...buyGiftCard,
      config: { idempotent: true },
      handler: async (request, reply) => {
        const customerId = requireCustomer(request.actor);
        const { amount, recipientEmail, message, deliverOn, card, confirmationToken, paymentMethodId } = request.body;
        const today = await marketDate(deps, request.now, hubOf(request.actor));
        if (deliverOn < today)
          throw new AppError(400, "Choose today or a later day.", { code: "invalid", field: "deliverOn" });
        if (deliverOn > addDays(today, GIFT_CARD_DAYS_MAX))
          throw new AppError(400, "Choose a day within the next year.", { code: "invalid", field: "deliverOn" });
        const answer = await buy(app.contextOf(request), customerId, {
          amountCents: fromDollars(amount),
          purpose: { kind: "gift-card", recipientEmail, message, deliverOn },
          card: card ?? null,
          token: confirmationToken ?? null,
          paymentMethodId: paymentMethodId ?? null,
          save: false,
          tries: paymentTries(app.contextOf(request), limits, customerId, request.ip),
          idempotencyKey: request.idempotency ? `${request.idempotency.actor} ${request.idempotency.key}` : null,
        });
        if (answer.kind === "challenge")
          return reply
            .code(202)
            .send({ challenge: { paymentId: answer.paymentId, clientSecret: answer.clientSecret } });
        const bought = await findGiftCardOfPayment(deps.db, answer.paymentId);
        if (!bought) throw new Error("a paid gift card is missing");
        return reply.code(201).send({ id: bought.id, deliverOn: bought.deliver_on });
      },
    });
    app.route({
      ...listGiftCards,
      handler: async ({ actor }) => (await findGiftCardsOf(deps.db, requireCustomer(actor))).map(serializeGiftCard),
    });
    app.route({
      ...resendGiftCard,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        return serializeGiftCard(
          await resendOwnGiftCard(app.contextOf(request), customerId, request.params.id, request.body),
        );
      },
    });
    app.route({
      ...redeemCall,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        await limits.code.guard({ customerId }, "code", () =>
          redeemGiftCard(app.contextOf(request), customerId, request.body.code),
        );
        return loadProfile(deps, request.actor, request.now);
      },
    });
  };

/** Turns a code into store credit, once. Wrong and spent codes get the same response (failures.md K3). */
async function redeemGiftCard(ctx: Context, customerId: CustomerId, code: string): Promise<void> {
  await transaction(ctx.deps.db, async (tx) => {
    const card = await spendGiftCard(tx, giftCodeHash(code), customerId, ctx.now);
    if (!card)
      throw new AppError(422, "This code is not valid, or it was used already.", { code: "bad_code", field: "code" });
    const creditCents = await addCredit(tx, customerId, card.amount_cents);
    if (creditCents === null) throw loginRequired();
    await bookPurchase(
      tx,
      { kind: "gift_card", paymentId: null, note: `gift card ${card.id} redeemed`, now: ctx.now },
      redemptionEntries(customerId, cents(card.amount_cents)),
    );
    await enqueueMail(tx, {
      key: `gift-card-redeemed:${card.id}`,
      template: "gift-card-redeemed",
      customerId,
      data: { amountCents: card.amount_cents, creditCents },
      now: ctx.now,
    });
  });
}
