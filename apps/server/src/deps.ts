import type { Db, Queues, Replica } from "@marketday/db";
import type { FastifyBaseLogger } from "fastify";

import type { Env } from "./env.ts";
import type { BotCheck } from "./gateways/bot-check/bot-check.ts";
import type { Geocoder } from "./gateways/geocoder/geocoder.ts";
import type { Identify } from "./gateways/identify/identify.ts";
import type { Mailer } from "./gateways/mailer/mailer.ts";
import type { PaymentProvider } from "./gateways/payments/payments.ts";
import type { KeyedCache } from "./lib/cache.ts";
import type { Clock } from "./lib/clock.ts";
import type { MailTemplateOf } from "./lib/mail-template.ts";

/** Dependencies that the whole server shares. Created once in `main.ts` (or by a test). */
export interface Deps {
  env: Env;
  db: Db;
  /** For the loads of the hubs' cache: the replica of `REPLICA_DATABASE_URL`, or `db`. */
  readDb: Db;
  /** What `readDb` reads from; null without one. */
  replica: Replica | null;
  /** Queues of outgoing messages: mails, webhooks. */
  queues: Queues;
  clock: Clock;
  cache: KeyedCache;
  /** Each customer's favorites, subscriptions and order counts (`products/personal.ts`). */
  personalCache: KeyedCache;
  mailer: Mailer;
  /** By key: the `template` of a mail's row. */
  mailTemplates: Readonly<Record<string, MailTemplateOf<Deps>>>;
  payments: PaymentProvider;
  geocoder: Geocoder;
  botCheck: BotCheck;
  /** Null: logins and sign-ups are not sent to any webhook. */
  identify: Identify | null;
  log: FastifyBaseLogger;
  /**
   * Called at the named points where a kill must do no harm. Does nothing in production; tests inject failpoints
   * (docs/failures.md).
   */
  failpoint: (point: string) => Promise<void>;
}
