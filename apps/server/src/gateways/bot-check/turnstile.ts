import { addMs, Minute } from "@marketday/domain/time";
import { z } from "zod";

import { unavailable } from "../../lib/app-error.ts";
import { httpFetch } from "../../lib/http-client.ts";
import { sha256 } from "../../lib/tokens.ts";
import type { BotCheck } from "./bot-check.ts";

const VERIFY_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
/** Turnstile's tokens are valid for five minutes. */
const VALID_MS = 5 * Minute.ms;

const Verification = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** Cloudflare's check, with `BOT_CHECK=turnstile`. Its internal errors and a wrong secret fail closed. */
export function turnstile(secretKey: string, verifyUrl = VERIFY_URL): BotCheck {
  return {
    name: "turnstile",
    challenge: async () => null,
    async verify(token, now, ip) {
      const down = () => unavailable("Something went wrong. Please try again in a moment.", "bot_check_down", 30);
      const body = new URLSearchParams({ secret: secretKey, response: token, remoteip: ip });
      const response = await httpFetch(verifyUrl, { method: "POST", body }).catch(() => null);
      const verification = Verification.safeParse(response?.json);
      if (!verification.success) throw down();
      const { success, "error-codes": codes } = verification.data;
      if (success) return { once: sha256(token), expiresAt: addMs(now, VALID_MS) };
      if (codes.some((code) => code === "internal-error" || code.endsWith("-input-secret"))) throw down();
      return null;
    },
  };
}
