import { setTimeout as pause } from "node:timers/promises";

import { addMs, Minute } from "@marketday/domain/time";

import { resumeAbandoned } from "../../src/modules/checkout/resume-attempt.ts";
import { newKey } from "../factories.ts";
import { expectResult, call, operator, type Run, anyServer, type Deployment, resultOf } from "./deployment.ts";
import { edit, fillCart, GOOD, CART_CHANGED, requestQuote } from "./shopping.ts";

const DOWN = "503 payments_down";
const RETRY_MS = 500;

/** A sequence during a Stripe outage: checkouts that need a charge fail, everything else works. */
export async function shopDuringOutage(run: Run): Promise<void> {
  await fillCart(run, true);
  const { body, isFree } = await requestQuote(run, GOOD);
  const response = await call(run, anyServer(run), "POST", "/checkout", body, newKey());
  expectResult(run, "checkout during the outage", resultOf(response), [isFree ? "201" : DOWN, ...CART_CHANGED]);
  if (run.random.chance(0.5)) await edit(run);
}

/** Ends the outage: the sweep resumes abandoned attempts, then Stripe processes requests that were in transit. */
export async function endOutage(deployment: Deployment): Promise<void> {
  const { fake, market } = deployment;
  fake.down = false;
  fake.clearTroubles();
  market.clock.set(addMs(new Date(), Minute.ms));
  await Promise.all([resumeAbandoned(operator(deployment)), resumeAbandoned(operator(deployment))]);
  market.clock.set(new Date());
  fake.processDelayed();
}

/** Retries until the circuit breaker closes, at most half a minute later. */
export async function shopAfterOutage(run: Run): Promise<void> {
  await fillCart(run, true);
  for (;;) {
    const { body } = await requestQuote(run, GOOD);
    const result = resultOf(await call(run, anyServer(run), "POST", "/checkout", body, newKey()));
    if (result !== DOWN) return expectResult(run, "checkout after the outage", result, ["201", ...CART_CHANGED]);
    await pause(RETRY_MS);
  }
}
