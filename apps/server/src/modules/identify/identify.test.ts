import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Day, Second } from "@marketday/domain/time";
import { afterAll, beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import { endPauses } from "../../../test/pauses.ts";
import { identifyWebhook } from "../../gateways/identify/identify.ts";
import { cleanUp } from "../../jobs/clean-up.ts";
import { notifyDue } from "./tell-due.ts";

/** A stand-in for the service that is told. */
const heard: { body: any; key: string | undefined }[] = [];
let status = 200;
let silent = false;
let says = "{}";
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += String(part)));
  request.on("end", () => {
    heard.push({ body: JSON.parse(text), key: request.headers["idempotency-key"] as string | undefined });
    if (!silent) response.writeHead(status).end(says);
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/identify`;

const market = await buildTestApp({ overrides: { identify: identifyWebhook(url, 60_000) } });
const { db, deps, clock } = market;
const hub = await createHub(db);

beforeEach(async () => {
  heard.length = 0;
  status = 200;
  silent = false;
  says = "{}";
  clock.set(MONDAY);
  await db.identify_event.deleteMany();
});

const browser = (visit: string) => {
  const someone = market.shopper();
  someone.cookies.set("mkt_as", visit);
  return someone;
};
async function login(visit = "0123456789abcdef") {
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const answer = await browser(visit).post("/auth/login", { username: customer.email, password: PASSWORD });
  expect(answer.status).toBe(200);
  return customer;
}

test("a login and a sign-up are told, with the visit", { tags: ["spec:7.12-02", "spec:9-15"] }, async () => {
  const customer = await login();
  const answer = await browser("<script>").post("/auth/register", {
    email: "ada.b@example.com",
    password: "wheelbarrow",
    zipCode: "46032",
    firstName: "Ada",
    lastName: "Brown",
  });
  expect(answer.status).toBe(200);
  // Nothing leaves while somebody waits.
  expect(heard).toEqual([]);
  expect(await notifyDue(deps)).toBe(2);
  expect(heard.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      event: "login",
      at: "2026-11-23T17:00:00.000Z",
      visit: "0123456789abcdef",
      customer: expect.objectContaining({ id: customer.id, email: customer.email, hubId: hub.id }),
    }),
    // What is no id of ours is nobody's.
    expect.objectContaining({
      event: "sign_up",
      visit: null,
      customer: expect.objectContaining({ email: "ada.b@example.com", firstName: "Ada", zipCode: "46032" }),
    }),
  ]);
  expect(heard[0]?.key).toBe(`identify-${heard[0]?.body.id}`);
  expect(JSON.stringify(heard)).not.toMatch(/password|hash/i);
  expect(await notifyDue(deps)).toBe(0);
});

test("a wrong password is no login", async () => {
  const { email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  expect((await market.shopper().post("/auth/login", { username: email, password: "wrong" })).status).toBe(401);
  expect(await db.identify_event.count()).toBe(0);
});

test("a service that is away is told later, with the same key; logins go on", { tags: ["fail:E5"] }, async () => {
  status = 500;
  await login();
  await login();
  expect(await notifyDue(deps)).toBe(0);
  // One try is enough to find out.
  expect(heard.length).toBe(1);
  silent = true;
  expect(await notifyDue({ ...deps, identify: identifyWebhook(url, 2 * Second.ms) })).toBe(0);
  expect(heard.length).toBe(2);
  silent = false;
  status = 200;
  await endPauses(db, "identify");
  expect(await notifyDue(deps)).toBe(2);
  expect(new Set(heard.map(({ key }) => key)).size).toBe(2);
});

test("whatever it says beside its status is not listened to, and not for long", { tags: ["fail:E5"] }, async () => {
  says = "<html>";
  await login();
  expect(await notifyDue(deps)).toBe(1);
  says = "x".repeat(100_000);
  await login();
  expect(await notifyDue(deps)).toBe(0);
  says = "";
  await endPauses(db, "identify");
  expect(await notifyDue(deps)).toBe(1);
  expect([heard.length, heard[1]?.key === heard[2]?.key]).toEqual([3, true]);
});

test("what it refuses it is not told again", async () => {
  status = 422;
  await login();
  expect(await notifyDue(deps)).toBe(0);
  status = 200;
  clock.advance(Day.ms);
  expect(await notifyDue(deps)).toBe(0);
  expect(await db.identify_event.findMany({ select: { last_error: true } })).toEqual([{ last_error: "refused" }]);
});

test("two servers tell each event once", async () => {
  for (let n = 0; n < 4; n += 1) await login();
  const told = await Promise.all([notifyDue(deps), notifyDue(deps)]);
  expect(told.reduce((a, b) => a + b)).toBe(4);
  expect(new Set(heard.map(({ key }) => key)).size).toBe(4);
  expect(heard.length).toBe(4);
});

/** What deleting an account leaves of its person. */
const GONE = { deleted_at: new Date(MONDAY), email: null, email_normal: null, password_hash: null };

test("nothing is said of who is gone, and what is old goes too", async () => {
  const customer = await login();
  await db.customer.update({ where: { id: customer.id }, data: GONE });
  expect(await notifyDue(deps)).toBe(0);
  expect(heard).toEqual([]);
  status = 503;
  await login();
  await notifyDue(deps);
  clock.advance(8 * Day.ms);
  await cleanUp({ deps, now: clock.now(), actor: { type: "system", job: "clean-up" } });
  expect(await db.identify_event.count()).toBe(0);
});

test("without a webhook nobody is told and nothing is kept", { tags: ["spec:7.12-02"] }, async () => {
  const quiet = await buildTestApp({ url: market.url });
  expect(quiet.deps.identify).toBeNull();
  const { email } = await createCustomer(db, { hubId: hub.id, pepper: quiet.deps.env.pepper });
  expect((await quiet.shopper().post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
  expect(await db.identify_event.count()).toBe(0);
  expect(await notifyDue(quiet.deps)).toBe(0);
});
