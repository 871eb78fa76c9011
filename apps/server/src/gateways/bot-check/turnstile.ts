import { addMs, Minute } from "@marketday/domain/time";
import { z } from "zod";

import { unavailable } from "../../lib/app-error.ts";
import { httpFetch } from "../../lib/http-client.ts";
import { sha256 } from "../../lib/tokens.ts";
import type { BotCheck } from "./bot-check.ts";

const VERIFY_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
/** Its tokens are good for five minutes. */
const GOOD_FOR_MS = 5 * Minute.ms;

const Verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** Cloudflare's check, chosen by `BOT_CHECK=turnstile`. Its own troubles and a wrong secret fail closed. */
export function turnstile(secretKey: string, verifyUrl = VERIFY_URL): BotCheck {
  return {
    name: "turnstile",
    challenge: async () => null,
    async verify(token, now, ip) {
      const down = () => unavailable("Something went wrong. Please try again in a moment.", "bot_check_down", 30);
      const body = new URLSearchParams({ secret: secretKey, response: token, remoteip: ip });
      const answer = await httpFetch(verifyUrl, { method: "POST", body }).catch(() => null);
      const verdict = Verdict.safeParse(answer?.json);
      if (!verdict.success) throw down();
      const { success, "error-codes": codes } = verdict.data;
      if (success) return { once: sha256(token), expiresAt: addMs(now, GOOD_FOR_MS) };
      if (codes.some((code) => code === "internal-error" || code.endsWith("-input-secret"))) throw down();
      return null;
    },
  };
}
