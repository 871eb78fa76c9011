import { Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { ProviderUnavailable } from "../payments.ts";
import { circuitBreaker } from "./breaker.ts";

/** A breaker with a clock that the test sets, and the number of calls that reached the provider. */
function breaker() {
  let elapsed = 0;
  let calls = 0;
  const own = circuitBreaker(() => elapsed);
  const call = (result: () => Promise<string>) =>
    own
      .run(() => {
        calls += 1;
        return result();
      })
      .catch((error: Error) => error.message);
  return {
    succeed: () => call(async () => "ok"),
    fail: () => call(() => Promise.reject(new ProviderUnavailable("no answer"))),
    decline: () => call(() => Promise.reject(new Error("declined"))),
    call,
    wait: (ms: number) => void (elapsed += ms),
    calls: () => calls,
    isOpen: () => own.isOpen,
  };
}
const REFUSED = "the payment provider did not respond recently";

test("circuit breaker: five failures in a row open it; a success or a decline in between starts the count again", async () => {
  for (const answer of ["succeed", "decline"] as const) {
    const stripe = breaker();
    for (let n = 0; n < 4; n += 1) await stripe.fail();
    await stripe[answer]();
    for (let n = 0; n < 4; n += 1) await stripe.fail();
    expect([stripe.isOpen(), stripe.calls()]).toEqual([false, 9]);
    expect(await stripe.fail()).toBe("no answer");
    expect([stripe.isOpen(), await stripe.succeed(), stripe.calls()]).toEqual([true, REFUSED, 10]);
  }
});

test("circuit breaker: after 30 s one call is tried while the others are refused; its failure opens it for another 30 s", async () => {
  const stripe = breaker();
  for (let n = 0; n < 5; n += 1) await stripe.fail();
  stripe.wait(30 * Second.ms - 1);
  expect(await stripe.succeed()).toBe(REFUSED);
  stripe.wait(1);
  const trial = Promise.withResolvers<string>();
  const trying = stripe.call(() => trial.promise);
  expect(await stripe.succeed()).toBe(REFUSED);
  trial.reject(new ProviderUnavailable("still away"));
  expect(await trying).toBe("still away");
  stripe.wait(30 * Second.ms - 1);
  expect(await stripe.succeed()).toBe(REFUSED);
  stripe.wait(1);
  expect([await stripe.decline(), stripe.isOpen(), await stripe.succeed()]).toEqual(["declined", false, "ok"]);
});
