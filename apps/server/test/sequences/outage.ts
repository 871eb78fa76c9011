import { setTimeout as pause } from "node:timers/promises";

import { addMs, Minute } from "@marketday/domain/time";

import { resumeAbandoned } from "../../src/modules/checkout/resume-attempt.ts";
import { newKey } from "../factories.ts";
import { edit, fillCart, GOOD, MOVED, quoted } from "./shopping.ts";
import { allow, call, operator, type Run, some, type Stall, wordOf } from "./stall.ts";

const DOWN = "503 payments_down";
const PRESS_AGAIN_MS = 500;

/** A shopper while Stripe is away: nothing is bought that costs money, everything else goes on. */
export async function shopInTheDark(run: Run): Promise<void> {
  await fillCart(run, true);
  const { body, isFree } = await quoted(run, GOOD);
  const answer = await call(run, some(run), "POST", "/checkout", body, newKey());
  allow(run, "checkout in the dark", wordOf(answer), [isFree ? "201" : DOWN, ...MOVED]);
  if (run.random.chance(0.5)) await edit(run);
}

/** Stripe is back. The sweep looks after what was given up; then Stripe hears what was still on its way to it. */
export async function comeBack(stall: Stall): Promise<void> {
  const { fake, market } = stall;
  fake.down = false;
  // What was to go wrong did: nobody was there.
  fake.calm();
  market.clock.set(addMs(new Date(), Minute.ms));
  await Promise.all([resumeAbandoned(operator(stall)), resumeAbandoned(operator(stall))]);
  market.clock.set(new Date());
  fake.hearLate();
}

/** Presses again until the servers trust Stripe again: at most half a minute later. */
export async function shopAgain(run: Run): Promise<void> {
  await fillCart(run, true);
  for (;;) {
    const { body } = await quoted(run, GOOD);
    const said = wordOf(await call(run, some(run), "POST", "/checkout", body, newKey()));
    if (said !== DOWN) return allow(run, "checkout when it is back", said, ["201", ...MOVED]);
    await pause(PRESS_AGAIN_MS);
  }
}
