import argon2 from "argon2";
import { expect, test, vi } from "vitest";

import { AppError } from "./app-error.ts";
import { hashPassword } from "./password.ts";

test(
  "password hashes: with two running and forty waiting, the next one is rejected at once as busy",
  { tags: ["fail:F13"] },
  async () => {
    let running = 0;
    let most = 0;
    const hash = argon2.hash.bind(argon2);
    const spy = vi.spyOn(argon2, "hash").mockImplementation(async (...args: Parameters<typeof hash>) => {
      most = Math.max(most, (running += 1));
      try {
        return await hash(...args);
      } finally {
        running -= 1;
      }
    });
    try {
      const jobs = Array.from({ length: 43 }, (_, n) => hashPassword(`password ${n}`, "pepper"));
      const last: unknown = await jobs[42]!.catch((error: unknown) => error);
      expect(last).toBeInstanceOf(AppError);
      expect(last).toMatchObject({ status: 503, details: { code: "busy" } });
      // It was rejected before any other one finished.
      expect(most).toBe(2);
      expect(running).toBe(2);
      const done = await Promise.allSettled(jobs);
      expect(done.map(({ status }) => status)).toEqual([...Array<string>(42).fill("fulfilled"), "rejected"]);
      expect(most).toBe(2);
      // Afterwards hashes are accepted again.
      expect(await hashPassword("once more", "pepper")).toMatch(/^\$argon2id\$/);
    } finally {
      spy.mockRestore();
    }
  },
);
