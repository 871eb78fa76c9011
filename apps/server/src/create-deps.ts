import { join } from "node:path";

import { createDb, createReplica, type Db, openQueues } from "@marketday/db";
import type { FastifyBaseLogger } from "fastify";

import type { Deps } from "./deps.ts";
import { type Env, SettingError } from "./env.ts";
import type { BotCheck } from "./gateways/bot-check/bot-check.ts";
import { proofOfWork } from "./gateways/bot-check/proof-of-work.ts";
import { turnstile } from "./gateways/bot-check/turnstile.ts";
import { type Geocoder, httpGeocoder } from "./gateways/geocoder/geocoder.ts";
import { zipTables } from "./gateways/geocoder/zip-tables.ts";
import { identifyWebhook } from "./gateways/identify/identify.ts";
import { fileMailer } from "./gateways/mailer/file-mailer.ts";
import type { Mailer } from "./gateways/mailer/mailer.ts";
import { smtpMailer } from "./gateways/mailer/smtp-mailer.ts";
import { offlinePayments, type PaymentProvider } from "./gateways/payments/payments.ts";
import { testPayments } from "./gateways/payments/test-provider.ts";
import { KeyedCache } from "./lib/cache.ts";
import { type Clock, databaseClock } from "./lib/clock.ts";
import { accountMails } from "./modules/account/mails.ts";
import { reverseClose } from "./modules/admin-inbox/close.ts";
import { reverseHide } from "./modules/admin-inbox/hide.ts";
import { inboxMails } from "./modules/admin-inbox/mails.ts";
import { isReplyBegun, runReply } from "./modules/admin-inbox/reply.ts";
import { answerMails } from "./modules/answers/mails.ts";
import { bulkCancelKind, bulkChargeKind, bulkDeliverKind, bulkMessageKind } from "./modules/bulk/kinds.ts";
import { messageMails } from "./modules/bulk/mails.ts";
import { bulkPlaceKind } from "./modules/bulk/place.ts";
import { finishChallenge } from "./modules/checkout/resume-attempt.ts";
import { reverseCredit } from "./modules/customers/give-credit.ts";
import { reverseNoteAdded, reverseNoteRemoved } from "./modules/customers/notes.ts";
import { reversePause } from "./modules/customers/pause-orders.ts";
import { reverseSkip } from "./modules/customers/skip-delivery.ts";
import { grantGiftCard } from "./modules/gift-cards/grant-gift-card.ts";
import { giftCardMails } from "./modules/gift-cards/mails.ts";
import { hubMails } from "./modules/hubs/mails.ts";
import { leadMails } from "./modules/leads/mails.ts";
import { ledgerMails } from "./modules/ledger/mails.ts";
import type { MailTemplates } from "./modules/mail/template.ts";
import { reverseEdit } from "./modules/offers/undo-edit.ts";
import { isCancelBegun, runCancel } from "./modules/orders/hold-cancel.ts";
import { isMoveBegun, runMove } from "./modules/orders/hold-move.ts";
import { isRefundBegun, runRefund } from "./modules/orders/hold-refund.ts";
import { isResendBegun, runResend } from "./modules/orders/hold-resend.ts";
import { isShortLineBegun, runShortLine } from "./modules/orders/hold-short.ts";
import { orderMails } from "./modules/orders/mails.ts";
import { reversePlace } from "./modules/orders/reverse-place.ts";
import { reverseRecording } from "./modules/orders/reverse-recording.ts";
import { isNoteMailBegun, reverseNote, runNoteMail } from "./modules/orders/write-note.ts";
import { registerFulfillmentHandler } from "./modules/payments/fulfillment-handler.ts";
import { registerChargeHandlers } from "./modules/payments/handlers.ts";
import { paymentMails } from "./modules/payments/mails.ts";
import { reportRefusals } from "./modules/payments/report-refusals.ts";
import { problemMails } from "./modules/problems/mails.ts";
import { settingsMails } from "./modules/settings/test-mail.ts";
import { shortKind } from "./modules/shorts/short-kind.ts";
import { registerActionKinds } from "./modules/staff-actions/kinds.ts";
import { staffSignInMails } from "./modules/staff-sign-in/mails.ts";
import { staffMails } from "./modules/staff/mails.ts";
import { followFulfillment } from "./modules/subscriptions/follow-fulfillment.ts";
import { subscriptionMails } from "./modules/subscriptions/mails.ts";
import { grantWagonPass } from "./modules/wagon-pass/grant-wagon-pass.ts";
import { wagonPassMails } from "./modules/wagon-pass/mails.ts";
import { weekMails } from "./modules/week/mails.ts";

registerChargeHandlers({
  challengeAnswered: async (ctx, attemptId, charge) => (await finishChallenge(ctx, attemptId, charge))?.kind ?? null,
  grant: { "gift-card": grantGiftCard, "wagon-pass": grantWagonPass },
});

registerFulfillmentHandler(followFulfillment);

registerActionKinds({
  short: shortKind,
  cancel_order: { run: runCancel, isBegun: isCancelBegun },
  resend_mail: { run: runResend, isBegun: isResendBegun },
  mark_paid: { reverse: reverseRecording },
  grant_credit: { reverse: reverseCredit, logsUndo: true },
  skip_delivery: { reverse: reverseSkip, logsUndo: true },
  set_auto_checkout: { reverse: reversePause, logsUndo: true },
  add_customer_note: { reverse: reverseNoteAdded, logsUndo: true },
  remove_customer_note: { reverse: reverseNoteRemoved, logsUndo: true },
  change_place: { reverse: reversePlace, logsUndo: true },
  refund_order: { run: runRefund, isBegun: isRefundBegun },
  short_order: { run: runShortLine, isBegun: isShortLineBegun },
  move_order: { run: runMove, isBegun: isMoveBegun },
  write_note: { reverse: reverseNote, logsUndo: true },
  send_note: { run: runNoteMail, isBegun: isNoteMailBegun },
  inbox_reply: { run: runReply, isBegun: isReplyBegun },
  inbox_close: { reverse: reverseClose },
  moderate: { reverse: reverseHide },
  edit_offers: { reverse: reverseEdit, logsUndo: true },
  bulk_cancel: bulkCancelKind,
  bulk_charge: bulkChargeKind,
  bulk_message: bulkMessageKind,
  bulk_deliver: bulkDeliverKind,
  bulk_place: bulkPlaceKind,
});

/** Every mail that the market sends, by template key. */
const mailTemplates: MailTemplates = {
  ...hubMails,
  ...orderMails,
  ...paymentMails,
  ...ledgerMails,
  ...giftCardMails,
  ...wagonPassMails,
  ...subscriptionMails,
  ...weekMails,
  ...accountMails,
  ...answerMails,
  ...leadMails,
  ...problemMails,
  ...staffSignInMails,
  ...staffMails,
  ...inboxMails,
  ...messageMails,
  ...settingsMails,
};

/** The check of `BOT_CHECK` (docs/product.md §12). */
const createBotCheck = (env: Env): BotCheck =>
  env.botCheck === "turnstile" && env.turnstile ? turnstile(env.turnstile.secretKey) : proofOfWork(env.sessionSecrets);

/** The zip tables, or the service of `GEOCODER_URL` with the tables as fallback (docs/product.md §12). */
function createGeocoder(env: Env): Geocoder {
  const tables = zipTables();
  return env.geocoderUrl === null ? tables : httpGeocoder(env.geocoderUrl, tables);
}

/** SMTP with `SMTP_URL`, else files in `DATA_DIR/mail` (docs/product.md §12). */
const createMailer = (env: Env, log: FastifyBaseLogger): Mailer =>
  env.smtpUrl ? smtpMailer(env.smtpUrl, env.mailFrom) : fileMailer(join(env.dataDir, "mail"), env.mailFrom, log);

/** The provider of `PAYMENTS` (docs/product.md §7). */
async function createPayments(env: Env, db: Db, clock: Clock, log: FastifyBaseLogger): Promise<PaymentProvider> {
  if (env.payments === "offline") return offlinePayments();
  if (env.payments === "test") return testPayments(db, () => clock.now());
  if (!env.stripe) throw new SettingError("PAYMENTS is stripe, but its keys are missing.");
  // Stripe's library: other markets start without it.
  const { stripePayments } = await import("./gateways/payments/stripe/stripe-payments.ts");
  const stripe = stripePayments(
    { ...env.stripe, apiUrl: env.stripeApiUrl },
    db,
    () => clock.elapsed(),
    () => clock.now(),
  );
  return reportRefusals(stripe, { db, clock, log });
}

/** Creates the dependencies that all modules share. `overrides`: a clock and failpoints for tests. */
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
  const replica =
    env.replicaDatabaseUrl === null || url !== env.databaseUrl
      ? null
      : createReplica(
          {
            url: env.replicaDatabaseUrl,
            applicationName: "marketday server",
            onPoolError: (error) => log.warn({ err: error }, "the replica failed; the primary answers"),
          },
          db,
        );
  const clock = overrides.clock ?? (await databaseClock(db));
  return {
    env,
    db,
    readDb: replica?.db ?? db,
    replica,
    queues: openQueues(db),
    clock,
    log,
    cache: new KeyedCache({ elapsed: () => clock.elapsed() }),
    personalCache: new KeyedCache({ elapsed: () => clock.elapsed(), minAgeMs: 0, maxBytes: 16 * 2 ** 20 }),
    mailer: createMailer(env, log),
    mailTemplates,
    payments: await createPayments(env, db, clock, log),
    geocoder: createGeocoder(env),
    botCheck: createBotCheck(env),
    identify: env.identifyWebhookUrl === null ? null : identifyWebhook(env.identifyWebhookUrl),
    failpoint: async () => undefined,
    ...overrides,
  };
}
