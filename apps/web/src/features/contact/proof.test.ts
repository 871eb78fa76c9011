import { Minute } from "@marketday/domain/time";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { setUpHooks } from "../../../test/open-hook.tsx";
import { proofOfWork } from "./proof.ts";

const page = setUpHooks();
let solved: unknown = { counter: 7 };
beforeEach(() => {
  solved = { counter: 7 };
  page.answer("GET /problems/challenge", { body: { challenge: { nonce: "n" } } });
  vi.stubGlobal(
    "Worker",
    class {
      listeners = new Map<string, (event: { data: unknown }) => void>();
      addEventListener(kind: string, listener: (event: { data: unknown }) => void) {
        this.listeners.set(kind, listener);
      }
      postMessage() {
        this.listeners.get("message")?.({ data: solved });
      }
      terminate() {}
    },
  );
});
afterEach(() => vi.restoreAllMocks());
const challenges = () => page.sent.length;

test("bot check: one proof, begun while typing, is good for one message", async () => {
  const proof = proofOfWork();
  proof.begin();
  proof.begin();
  const token = await proof.token();
  expect(JSON.parse(atob(token))).toEqual({ challenge: { nonce: "n" }, solution: { counter: 7 } });
  expect(challenges()).toBe(1);
  proof.spent();
  await proof.token();
  expect(challenges()).toBe(2);
});

test("bot check: a proof that is older than twelve minutes is made again", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  const proof = proofOfWork();
  await proof.token();
  now.mockReturnValue(1000 + 12 * Minute.ms - 1);
  await proof.token();
  expect(challenges()).toBe(1);
  now.mockReturnValue(1000 + 12 * Minute.ms);
  await proof.token();
  expect(challenges()).toBe(2);
});

test("bot check: one that failed is an error when the message is sent, and the next try begins again", async () => {
  const proof = proofOfWork();
  solved = null;
  proof.begin();
  await expect(proof.token()).rejects.toThrow("We couldn't check that you're human.");
  solved = { counter: 8 };
  expect(JSON.parse(atob(await proof.token()))).toMatchObject({ solution: { counter: 8 } });
});
