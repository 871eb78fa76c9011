import type { Env } from "../../env.ts";
import type { BotCheck } from "./bot-check.ts";
import { proofOfWork } from "./proof-of-work.ts";
import { turnstile } from "./turnstile.ts";

/** The one chosen by `BOT_CHECK` (docs/product.md §12). */
export const createBotCheck = (env: Env): BotCheck =>
  env.botCheck === "turnstile" && env.turnstile ? turnstile(env.turnstile.secretKey) : proofOfWork(env.sessionSecrets);
