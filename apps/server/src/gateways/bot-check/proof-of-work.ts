import { createHmac, randomInt } from "node:crypto";

import { addMs, Minute } from "@marketday/domain/time";
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";

import type { BotCheck } from "./bot-check.ts";

/** Validity of a puzzle, including the time its solution waits in a form. */
const VALID_MS = 15 * Minute.ms;
/** Rounds of PBKDF2 per try. */
const COST = 2_000;
/** Tries to the solution: about half a second for a browser, half a minute of CPU time for a hundred messages. */
const TRIES = { least: 120, most: 240 };

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      data: z.object({ until: z.iso.datetime() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

function read(token: string): z.infer<typeof Payload> | null {
  try {
    return Payload.parse(JSON.parse(Buffer.from(token, "base64").toString("utf8")));
  } catch {
    return null;
  }
}

/**
 * altcha's protocol, self-hosted. `secrets`: the first one signs, all are accepted. The expiry of a puzzle is in its signed
 * data, so that it is compared with the market's clock.
 */
export function proofOfWork(secrets: readonly string[]): BotCheck {
  const keys = secrets.map((secret) => ({
    hmacSignatureSecret: createHmac("sha256", secret).update("bot-check").digest("base64url"),
    hmacKeySignatureSecret: createHmac("sha256", secret).update("bot-check answer").digest("base64url"),
  }));
  const [current] = keys;
  if (!current) throw new Error("no session secret");
  return {
    name: "proof-of-work",
    async challenge(now) {
      const { parameters, signature } = await createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost: COST,
        counter: randomInt(TRIES.least, TRIES.most),
        data: { until: addMs(now, VALID_MS).toISOString() },
        deriveKey,
        ...current,
      });
      if (!signature) throw new Error("a challenge without a signature");
      return { parameters: { ...parameters }, signature };
    },
    async verify(token, now) {
      const payload = read(token);
      if (!payload) return null;
      const expiresAt = new Date(payload.challenge.parameters.data.until);
      if (now >= expiresAt) return null;
      for (const key of keys) {
        const { verified } = await verifySolution({ ...payload, deriveKey, ...key });
        if (verified) return { once: payload.challenge.parameters.nonce, expiresAt };
      }
      return null;
    },
  };
}
