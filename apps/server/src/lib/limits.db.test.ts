import { createDb } from "@marketday/db";
import { Hour, Minute, Second } from "@marketday/domain/time";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import type { AppError } from "./app-error.ts";
import { createLimits } from "./limits.ts";

const { db, deps } = await buildTestApp();
const limits = createLimits(db, { rateLimits: true, registrationsPerHour: 240 }, deps.log);
// Limits use real time, which stands still here until a test moves it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-02-01T12:00:00Z") }));
afterEach(() => void vi.useRealTimers());

type Take = (subject: number) => Promise<void>;
const byAddress =
  (limit: { take(ip: string): Promise<void> }): Take =>
  (subject) =>
    limit.take(`203.0.113.${subject}`);

test.for<[name: string, points: number, windowMs: number, take: Take]>([
  ["guest", 30, Minute.ms, byAddress(limits.guest)],
  ["review", 10, Hour.ms, limits.review.take],
  ["question", 10, Hour.ms, limits.question.take],
  ["endorsement", 10, Hour.ms, limits.endorsement.take],
  ["message", 30, Hour.ms, limits.message.take],
  ["problem", 20, Hour.ms, limits.problem.take],
  ["upload", 60, Hour.ms, byAddress(limits.upload)],
  ["contact", 20, Hour.ms, byAddress(limits.contact)],
  ["challenge", 30, Minute.ms, byAddress(limits.challenge)],
  ["lead", 20, Hour.ms, byAddress(limits.lead)],
  ["forgot", 20, Hour.ms, byAddress(limits.forgot)],
])(
  "limit %s: takes %i in %i ms, then none until they have passed, and others are not limited",
  async ([, points, windowMs, take]) => {
    const status = (subject: number) =>
      take(subject).then(
        () => 200,
        (error: AppError) => error.status,
      );
    for (let taken = 0; taken < points; taken += 1) expect([taken, await status(1)]).toEqual([taken, 200]);
    expect([await status(1), await status(2)]).toEqual([429, 200]);
    vi.setSystemTime(Date.now() + windowMs - Second.ms);
    expect(await status(1)).toBe(429);
    vi.setSystemTime(Date.now() + 2 * Second.ms);
    expect(await status(1)).toBe(200);
  },
);

test("limit of an account: without the database it is counted in memory, for longer than a moment", async () => {
  const lost = createDb({ url: "postgres://127.0.0.1:1/none" });
  await lost.close();
  const { login } = createLimits(lost, { rateLimits: true, registrationsPerHour: 240 }, deps.log);
  const attempt = { ip: "203.0.113.9", account: "anna@example.com", device: null };
  for (let failed = 0; failed < 6; failed += 1) {
    await login.failed(attempt);
    // Node.js runs a timer that is too long after 1 ms: it would be before this one.
    await new Promise((done) => setTimeout(done, 1));
  }
  await expect(login.check(attempt)).rejects.toMatchObject({ status: 429 });
});
