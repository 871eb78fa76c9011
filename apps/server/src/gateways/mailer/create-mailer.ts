import { join } from "node:path";

import type { FastifyBaseLogger } from "fastify";

import type { Env } from "../../env.ts";
import { fileMailer } from "./file-mailer.ts";
import type { Mailer } from "./mailer.ts";
import { smtpMailer } from "./smtp-mailer.ts";

/** SMTP when set, else files in `DATA_DIR/mail` (docs/product.md §12). */
export const createMailer = (env: Env, log: FastifyBaseLogger): Mailer =>
  env.smtpUrl ? smtpMailer(env.smtpUrl, env.mailFrom) : fileMailer(join(env.dataDir, "mail"), env.mailFrom, log);
