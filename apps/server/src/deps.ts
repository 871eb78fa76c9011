import type { Db, Queues } from "@marketday/db";
import type { FastifyBaseLogger } from "fastify";

import type { Env } from "./env.ts";
import type { BotCheck } from "./gateways/bot-check/bot-check.ts";
import type { Geocoder } from "./gateways/geocoder/geocoder.ts";
import type { Identify } from "./gateways/identify/identify.ts";
import type { Mailer } from "./gateways/mailer/mailer.ts";
import type { PaymentProvider } from "./gateways/payments/payments.ts";
import type { PublicCache } from "./lib/cache.ts";
import type { Clock } from "./lib/clock.ts";
import type { MailTemplates } from "./modules/mail/template.ts";

/** What the whole server shares. Made once in `main.ts` (or by a test). */
export interface Deps {
  env: Env;
  db: Db;
  /** What waits to leave the house: mails, webhooks. */
  queues: Queues;
  clock: Clock;
  cache: PublicCache;
  mailer: Mailer;
  mailTemplates: MailTemplates;
  payments: PaymentProvider;
  geocoder: Geocoder;
  botCheck: BotCheck;
  /** Null: nobody is told of logins and sign-ups. */
  identify: Identify | null;
  log: FastifyBaseLogger;
  /**
   * Called at the named points where a kill must do no harm. Does nothing here; test builds put failpoints in
   * (docs/failures.md).
   */
  failpoint: (point: string) => Promise<void>;
}
