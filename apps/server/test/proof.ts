import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

import type { Shopper } from "./shopper.ts";

/** Requests a puzzle and solves it, like the contact form's worker. */
export async function proveHuman(browser: Shopper): Promise<string> {
  const { challenge } = (await browser.get("/problems/challenge")).body;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
