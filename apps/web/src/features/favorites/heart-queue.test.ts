import { expect, test } from "vitest";

import { HeartQueue } from "./heart-queue.ts";

/** A server whose answers wait to be given. */
function setUp() {
  const sent: { id: number; on: boolean; answer: (on: boolean) => void; refuse: (error: Error) => void }[] = [];
  const log: string[] = [];
  const queue = new HeartQueue({
    send: (id, on) => new Promise((answer, refuse) => sent.push({ id, on, answer, refuse })),
    onAcknowledged: (id, on) => log.push(`${id} ${on}`),
    onRefused: (id, on, error) => log.push(`${id} not ${on}: ${(error as Error).message}`),
  });
  return { queue, sent, log };
}
const settle = () => new Promise((done) => setImmediate(done));

test("a tap shows before the server has answered", { tags: ["spec:4-21"] }, async () => {
  const { queue, sent, log } = setUp();
  queue.set(7, true, false);
  expect(queue.wanted(7)).toBe(true);
  sent[0]?.answer(true);
  await settle();
  expect([queue.wanted(7), log]).toEqual([undefined, ["7 true"]]);
});

test("taps while one is on its way: the last wins, and what is back where it was is not sent", async () => {
  const { queue, sent, log } = setUp();
  queue.set(7, true, false);
  queue.set(7, false, false);
  queue.set(7, true, false);
  sent[0]?.answer(true);
  await settle();
  expect([sent.length, log]).toEqual([1, ["7 true"]]);

  queue.set(7, false, true);
  queue.set(7, true, true);
  sent[1]?.answer(false);
  await settle();
  expect(queue.wanted(7)).toBe(true);
  expect(sent.map(({ on }) => on)).toEqual([true, false, true]);
  sent[2]?.answer(true);
  await settle();
  expect([queue.wanted(7), log]).toEqual([undefined, ["7 true", "7 false", "7 true"]]);
});

test("a refusal reverts the heart and notifies subscribers once", async () => {
  const { queue, sent, log } = setUp();
  let notified = 0;
  queue.subscribe(() => notified++);
  queue.set(7, true, false);
  sent[0]?.refuse(new Error("no"));
  await settle();
  expect([queue.wanted(7), log, notified]).toEqual([undefined, ["7 not true: no"], 2]);
});

test("a refusal of what is no longer wanted is silent", async () => {
  const { queue, sent, log } = setUp();
  queue.set(7, true, false);
  queue.set(7, false, false);
  sent[0]?.refuse(new Error("no"));
  await settle();
  expect([queue.wanted(7), log, sent.length]).toEqual([undefined, [], 1]);
});

test("a server that answers otherwise has the last word", async () => {
  const { queue, sent, log } = setUp();
  queue.set(7, true, false);
  sent[0]?.answer(false);
  await settle();
  expect([queue.wanted(7), log, sent.length]).toEqual([undefined, ["7 false"], 1]);
});

test("products do not wait for each other", async () => {
  const { queue, sent } = setUp();
  queue.set(1, true, false);
  queue.set(2, true, false);
  expect(sent.map(({ id }) => id)).toEqual([1, 2]);
});
