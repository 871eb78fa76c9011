import { execFile } from "node:child_process";

import { createHubNow, createProduct } from "@marketday/server/testing/factories";
import { testStripe } from "@marketday/server/testing/test-stripe";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const { db, url, dir, run: market, runWith } = await operatedMarket();

/** Runs `./market …` in a separate process, as an operator does. */
const runProcess = (settings: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dir, NODE_ENV: "test", ...settings };
    execFile(process.execPath, ["scripts/market.ts", ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, out, err }),
    );
  });

test("help lists every command, and an unknown command is refused", async () => {
  const help = await market("--help");
  expect(help.code).toBe(0);
  for (const command of ["demo", "doctor", "jobs"]) expect(help.out).toContain(command);
  const unknown = await market("dance");
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("unknown command 'dance'")]);
});

test("doctor: stock that does not add up is reported with advice", { tags: ["fail:V1"] }, async () => {
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { inventory: 5, variants: [{ title: "Dozen" }] });
  expect(await market("doctor")).toEqual({ code: 0, out: "Everything adds up.\n", err: "" });
  await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { inventory: 4 } });
  const report = await market("doctor", "--json");
  expect(report.code).toBe(1);
  expect(JSON.parse(report.out)).toEqual([
    {
      invariant: "V1",
      problem: expect.stringContaining("5 came in, but 4 in stock + 0 held + 0 sold"),
      advice: expect.stringContaining("Stock does not add up."),
    },
  ]);
  expect((await market("doctor")).out).toContain("Stock does not add up.");
});

test("doctor: failed work is listed with its reason until it succeeds", { tags: ["fail:M3"] }, async () => {
  const clean = await market("doctor");
  const since = new Date("2026-11-23T17:00:00Z");
  const subject = "pass 7";
  await db.job_failure.create({
    data: { job: "wagon-passes", subject, reason: "No such customer.", tries: 3, since, next_at: since },
  });
  const { code, out } = await market("doctor");
  expect(code).toBe(1);
  expect(out).toContain("wagon-passes, pass 7: No such customer. Tried 3 times since 2026-11-23 17:00 UTC.");
  await db.job_failure.deleteMany({ where: { subject } });
  expect(await market("doctor")).toEqual(clean);
});

test("doctor: warnings about settings are printed and do not change the exit code", async () => {
  await db.offer.updateMany({ data: { inventory: 5 } });
  const warned = await runWith({ DEM: "off", MARKET_NAME: "Oak Street" }, "doctor");
  expect([warned.code, warned.err]).toEqual([0, ""]);
  expect(warned.out).toBe(
    "Everything adds up.\nsettings: Change these in .env, and start the server again.\n  DEM is not a setting of Marketday, so it has no effect. Did you mean DEMO?\n",
  );
  const asJson = await runWith({ DEM: "off" }, "doctor", "--json");
  expect(JSON.parse(asJson.out)).toMatchObject([{ invariant: "settings", problem: expect.stringContaining("DEM ") }]);
});

test("doctor: what the payment provider holds and no payment knows is named; a provider that is away is listed, and the rest is checked", async () => {
  const ref = "tch_of_another_key";
  await db.test_charge.create({
    data: {
      id: ref,
      idempotency_key: "left",
      state: "authorized",
      amount_cents: 11_725,
      card_last4: "4242",
      card_brand: "visa",
      created_at: new Date(),
    },
  });
  const found = await market("doctor");
  expect(found.code).toBe(1);
  expect(found.out).toContain(`The provider holds $117.25 (${ref}, key left), which no payment here knows.`);
  await db.test_charge.delete({ where: { id: ref } });
  const fake = await testStripe({ webhookSecret: "whsec_of_the_doctor_0123456789" });
  const stripe = {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_of_the_doctor_0123456789",
    STRIPE_API_URL: fake.url,
  };
  expect(await runWith(stripe, "doctor")).toEqual({ code: 0, out: "Everything adds up.\n", err: "" });
  fake.down = true;
  const away = await runWith(stripe, "doctor", "--json");
  expect(away.code).toBe(0);
  expect(JSON.parse(away.out)).toMatchObject([
    { invariant: "not compared", problem: expect.stringContaining("stripe"), advice: expect.stringContaining("again") },
    { invariant: "not compared", problem: expect.stringContaining("stripe"), advice: expect.stringContaining("again") },
  ]);
});

/** A second after the cutoff of the hub's next delivery, and the days of its next two deliveries. */
async function nextCutoff(hub: Awaited<ReturnType<typeof createHubNow>>) {
  const [next, second] = await db.delivery.findMany({
    where: { hub_id: hub.id, cutoff_at: { gt: new Date() } },
    orderBy: { cutoff_at: "asc" },
    take: 2,
  });
  const day = (delivery: typeof next) => delivery!.day.toISOString().slice(0, 10);
  return {
    at: new Date(next!.cutoff_at.getTime() + 1_000).toISOString(),
    tooFar: second!.cutoff_at.toISOString(),
    days: [day(next), day(second)] as const,
  };
}

test("jobs run --at: a dry run lists the due work without doing it, and a run does exactly that work", async () => {
  const hub = await createHubNow(db, { name: "Dry market" });
  const { at, days } = await nextCutoff(hub);
  const dry = async () =>
    JSON.parse((await market("jobs", "run", "--at", at, "--dry-run", "--json")).out).due.filter(
      (item: { market: string | null }) => item.market === "Dry market",
    );
  const expected = [
    { job: "week", what: "close orders", count: 0, market: "Dry market", day: days[0] },
    { job: "week", what: "open a cycle and fill carts", count: 0, market: "Dry market", day: days[1] },
  ];
  expect(await dry()).toEqual(expected);
  expect(await dry()).toEqual(expected);
  const steps = () =>
    db.delivery_run.findMany({
      where: { delivery: { hub_id: hub.id }, step: { in: ["open", "cutoff"] } },
      orderBy: { step: "asc" },
    });
  expect(await steps()).toEqual([]);
  const unconfirmed = await market("jobs", "run", "--at", at);
  expect([unconfirmed.code, unconfirmed.out]).toEqual([2, ""]);
  expect(unconfirmed.err).toContain(`  close orders of Dry market for ${days[0]}: 0\n`);
  expect(unconfirmed.err).toContain("Say --yes to do it; nothing was done.");
  expect(await steps()).toEqual([]);
  const ran = await market("jobs", "run", "--at", at, "--yes");
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining(`close orders of Dry market for ${days[0]}: 0\n`)]);
  expect((await steps()).map(({ step, state }) => [step, state])).toEqual([
    ["cutoff", "done"],
    ["open", "done"],
  ]);
  expect(await dry()).toEqual([]);
  expect((await market("jobs", "run", "--at", at, "--yes")).out).toBe("Nothing was due.\n");
});

test("jobs run: a mistyped instant closes no orders", { tags: ["fail:M17"] }, async () => {
  const hub = await createHubNow(db, { name: "Typo market" });
  const { at, tooFar, days } = await nextCutoff(hub);
  const year = `${Number(at.slice(0, 4)) + 1}${at.slice(4)}`;
  for (const [typed, words] of [
    ["tomorrow", "Give a date and a time that exist, with a zone: 2026-11-25T06:00:00Z"],
    [at.replace("Z", ""), "It has no zone. Write "],
    ["2026-02-30T01:00:00Z", "Give a date and a time that exist"],
    ["2026-11-25T25:00:00Z", "Give a date and a time that exist"],
    [tooFar, "only the next delivery of each hub can be run early"],
    [year, "only the next delivery of each hub can be run early"],
  ] as const) {
    const refused = await market("jobs", "run", "--at", typed, "--yes");
    expect([typed, refused.code, refused.out, refused.err]).toEqual([typed, 2, "", expect.stringContaining(words)]);
  }
  const runs = { delivery: { hub_id: hub.id, day: { in: days.map((day) => new Date(day)) } } };
  expect(await db.delivery_run.count({ where: runs })).toBe(0);
  expect(JSON.parse((await market("jobs", "run", "--dry-run", "--json")).out).jobs).toContain("week");
});

test("help: each page has an example and --json, and the main page lists the exit codes", async () => {
  const help = await market("--help");
  for (const line of ["130  stopped by Ctrl-C", "MARKET_OPERATOR", "--dry-run"]) expect(help.out).toContain(line);
  for (const page of [["demo"], ["doctor"], ["jobs", "run"]]) {
    const { code, out } = await market(...page, "--help");
    expect([code, out]).toEqual([0, expect.stringMatching(/--json[^]*Examples:\n {2}\.\/market /)]);
  }
});

test("errors: printed as JSON with --json, without colors, and with their own exit code", async () => {
  const away = { DATABASE_URL: "postgres://someone:topsecret@127.0.0.1:1/market" };
  const unreachable = await runProcess(away, "doctor", "--json");
  expect([unreachable.code, unreachable.out]).toEqual([4, ""]);
  expect(JSON.parse(unreachable.err)).toEqual({
    code: 4,
    error: expect.stringContaining("127.0.0.1:1/market cannot be reached"),
  });
  const setting = await runProcess({ PORT: "lots" }, "doctor");
  expect(setting).toEqual({ code: 2, out: "", err: "PORT must be a whole number from 0 to 65535.\n" });
});
