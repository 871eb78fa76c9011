import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { createCustomer, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { expect, test, vi } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db, dir } = market;
const hub = await createHubNow(db);
const eggs = await createProduct(db, hub.id, { title: "Eggs" });
const vendor = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
const customer = await createCustomer(db, { hubId: hub.id, pepper: "tests", firstName: "Rosa" });
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 6, minute));
const thread = await db.thread.create({ data: { customer_id: customer.id, vendor_id: vendor.id } });
const write = (sender: "C" | "U", message: string, minute: number) =>
  db.message.create({ data: { thread_id: thread.id, sender, message, created_at: at(minute) } });
await write("C", "Are they brown?", 0);
await write("U", "Most are.", 5);
await write("C", "And\nbig? \u001B[31m", 6);
const name = `Rosa ${customer.last_name}`;
const item = `thread:${thread.id}`;

/** Whether a command handles Ctrl-C. It then also handles SIGHUP (the first bit), which Node does not by default. */
function handlesCtrlC(pid: number): boolean {
  const [, caught = "0"] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (BigInt(`0x${caught}`) & 1n) !== 0n;
}

/** Runs the command with `input` on standard input; `signal` is sent while it waits for more. */
async function runWithInput(input: string, args: readonly string[], signal?: NodeJS.Signals) {
  const env = { ...process.env, DATABASE_URL: market.url, DATA_DIR: dir, NODE_ENV: "test", MARKET_OPERATOR: "ada" };
  const child = spawn(process.execPath, ["scripts/market.ts", ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  await new Promise((resolve) => child.stdin.write(input, resolve));
  if (signal) {
    await vi.waitUntil(() => handlesCtrlC(child.pid!), { timeout: 120_000, interval: 20 });
    child.kill(signal);
  } else child.stdin.end();
  const [out, err, [code]] = await ended;
  return { code, out, err };
}

test("inbox show: all messages of a thread, oldest first, in the time zone of the customer's hub", async () => {
  const { out, code } = await market.run("inbox", "show", item);
  expect(code).toBe(0);
  expect(out).toBe(
    [
      `${item} · ${name} <${customer.email}> and ${vendor.name}`,
      `2026-11-20 1AM  ${name}`,
      "  Are they brown?",
      `2026-11-20 1:05AM  ${vendor.name}`,
      "  Most are.",
      `2026-11-20 1:06AM  ${name}`,
      "  And",
      "  big? [31m",
      "",
    ].join("\n"),
  );
  expect(await market.json("inbox", "show", item)).toMatchObject({
    about: "",
    timeZone: hub.time_zone,
    messages: [
      { from: "customer", at: expect.any(String), message: "Are they brown?" },
      { from: "vendor" },
      { from: "customer" },
    ],
  });
  expect((await market.run("inbox", "list")).out).toContain(`${item} · 2026-11-20 1:06AM · ${name} to`);
  expect(await market.run("inbox", "show", "question:999")).toMatchObject({
    code: 1,
    err: "There is no question 999.\n",
  });
  expect(await market.run("inbox", "show", "letter:1")).toMatchObject({ code: 2 });
});

test("inbox show: a question and a review show their product and answer", async () => {
  const question = await db.question.create({
    data: { customer_id: customer.id, product_id: eggs.id, question: "How big?", answer: "Large.", answered_at: at(9) },
  });
  const review = await db.review.create({
    data: { customer_id: customer.id, product_id: eggs.id, rating_halves: 9, comment: "Fine eggs" },
  });
  expect(await market.json("inbox", "show", `question:${question.id}`)).toMatchObject({
    about: "Eggs",
    messages: [
      { from: "customer", message: "How big?" },
      { from: "vendor", message: "Large." },
    ],
  });
  expect((await market.run("inbox", "show", `review:${review.id}`)).out).toContain("about Eggs");
});

test("inbox reply: an answer is read unchanged from a file or from standard input", async () => {
  const answer = `"Yes", he wrote; it's $5 \`each\` & more!\nSee you.`;
  const file = join(dir, "answer.txt");
  writeFileSync(file, `\uFEFF${answer.replaceAll("\n", "\r\n")}\r\n`);
  expect(await market.run("inbox", "reply", item, "--file", file, "--dry-run")).toMatchObject({ code: 0 });
  expect(await db.message.count({ where: { thread_id: thread.id } })).toBe(3);
  expect(await market.run("inbox", "reply", item, "--file", file)).toMatchObject({
    code: 0,
    out: `Answered ${item}.\n`,
  });
  const last = () => db.message.findFirstOrThrow({ where: { thread_id: thread.id }, orderBy: { id: "desc" } });
  expect(await last()).toMatchObject({ sender: "U", message: answer });
  expect(await market.run("inbox", "reply", item, "--file", file)).toMatchObject({
    out: `${item} already has this answer; nothing was done.\n`,
  });
  expect(await runWithInput("From a pipe.\n", ["inbox", "reply", item, "--file", "-"])).toEqual({
    code: 0,
    out: `Answered ${item}.\n`,
    err: "",
  });
  expect(await last()).toMatchObject({ message: "From a pipe." });
});

test("inbox reply: no answer, two answers and an unreadable file are refused with one sentence", async () => {
  const count = await db.message.count();
  for (const args of [[], ["Yes.", "--file", "answer.txt"]])
    expect(await market.run("inbox", "reply", item, ...args)).toMatchObject({
      code: 2,
      err: "Give the answer, or --file FILE with it (- is standard input). Nothing was done.\n",
    });
  const missing = join(dir, "missing.txt");
  expect(await market.run("inbox", "reply", item, "--file", missing)).toMatchObject({
    code: 3,
    err: expect.stringContaining(`${missing} cannot be read: ENOENT`),
  });
  const latin = join(dir, "latin.txt");
  writeFileSync(latin, Buffer.from([0x43, 0x72, 0xe8, 0x6d, 0x65]));
  expect(await market.run("inbox", "reply", item, "--file", latin)).toMatchObject({
    code: 3,
    err: `${latin} is not UTF-8 text. Save it as UTF-8.\n`,
  });
  const long = join(dir, "long.txt");
  writeFileSync(long, "x".repeat(100_001));
  expect(await market.run("inbox", "reply", item, "--file", long)).toMatchObject({
    code: 3,
    err: `${long} is longer than 100,000 bytes.\n`,
  });
  expect(await db.message.count()).toBe(count);
});

test("inbox reply: Ctrl-C while it reads standard input exits with 130 and writes nothing", async () => {
  const count = await db.message.count();
  expect(await runWithInput("Half an ans", ["inbox", "reply", item, "--file", "-"], "SIGINT")).toEqual({
    code: 130,
    out: "",
    err: "Stopped. Nothing was written.\n",
  });
  expect(await db.message.count()).toBe(count);
});
