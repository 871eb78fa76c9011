import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Day, Second } from "@marketday/domain/time";
import { afterAll, beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import { endPauses } from "../../../test/pauses.ts";
import { identifyWebhook } from "../../gateways/identify/identify.ts";
import { cleanUp } from "../../jobs/clean-up.ts";
import { notifyDue } from "./notify-due.ts";
import { deleteOldEvents } from "./store.ts";

/** A fake of the marketing service. */
const received: { body: any; key: string | undefined }[] = [];
let status = 200;
let silent = false;
let says = "{}";
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += String(part)));
  request.on("end", () => {
    received.push({ body: JSON.parse(text), key: request.headers["idempotency-key"] as string | undefined });
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
  received.length = 0;
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

test("identify: a login and a sign-up are sent, with the visit", { tags: ["spec:7.12-02", "spec:9-15"] }, async () => {
  const customer = await login();
  const answer = await browser("<script>").post("/auth/register", {
    email: "ada.b@example.com",
    password: "wheelbarrow",
    zipCode: "46032",
    firstName: "Ada",
    lastName: "Brown",
  });
  expect(answer.status).toBe(200);
  // Nothing is sent while the request is processed.
  expect(received).toEqual([]);
  expect(await notifyDue(deps)).toBe(2);
  expect(received.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      event: "login",
      at: "2026-11-23T17:00:00.000Z",
      visit: "0123456789abcdef",
      customer: expect.objectContaining({ id: customer.id, email: customer.email, hubId: hub.id }),
    }),
    // An id that the market did not create is dropped.
    expect.objectContaining({
      event: "sign_up",
      visit: null,
      customer: expect.objectContaining({ email: "ada.b@example.com", firstName: "Ada", zipCode: "46032" }),
    }),
  ]);
  expect(received[0]?.key).toBe(`identify-${received[0]?.body.id}`);
  expect(JSON.stringify(received)).not.toMatch(/password|hash/i);
  expect(await notifyDue(deps)).toBe(0);
});

test("identify: the payload has the customer's consent and origin as they are when it is sent", async () => {
  const { id, email } = await login();
  await db.customer.update({
    where: { id },
    data: {
      subscribed_marketing_emails: true,
      subscribed_marketing_sms: false,
      utm_source: "flyer",
      utm_campaign: "fall",
      trk: "booth",
    },
  });
  expect(await notifyDue(deps)).toBe(1);
  expect(received[0]?.body.customer).toEqual({
    id,
    email,
    firstName: "Robin",
    lastName: "Baker",
    zipCode: "46032",
    hubId: hub.id,
    subscribedMarketingEmails: true,
    subscribedMarketingSms: false,
    utmSource: "flyer",
    utmCampaign: "fall",
    trk: "booth",
  });
});

test("identify: a wrong password sends no login", async () => {
  const { email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  expect((await market.shopper().post("/auth/login", { username: email, password: "wrong" })).status).toBe(401);
  expect(await db.identify_event.count()).toBe(0);
});

test(
  "identify: events are sent later with the same key when the service is down; logins work meanwhile",
  { tags: ["fail:E5"] },
  async () => {
    status = 500;
    await login();
    await login();
    expect(await notifyDue(deps)).toBe(0);
    // One failed try ends the run.
    expect(received.length).toBe(1);
    silent = true;
    expect(await notifyDue({ ...deps, identify: identifyWebhook(url, 2 * Second.ms) })).toBe(0);
    expect(received.length).toBe(2);
    silent = false;
    status = 200;
    await endPauses(db, "identify");
    expect(await notifyDue(deps)).toBe(2);
    expect(new Set(received.map(({ key }) => key)).size).toBe(2);
  },
);

test("identify: the response body is ignored, and a slow response times out", { tags: ["fail:E5"] }, async () => {
  says = "<html>";
  await login();
  expect(await notifyDue(deps)).toBe(1);
  says = "x".repeat(100_000);
  await login();
  expect(await notifyDue(deps)).toBe(0);
  says = "";
  await endPauses(db, "identify");
  expect(await notifyDue(deps)).toBe(1);
  expect([received.length, received[1]?.key === received[2]?.key]).toEqual([3, true]);
});

test.each([408, 429, 503])("identify: an event that is answered with %i is sent again", async (busy) => {
  status = busy;
  await login();
  expect(await notifyDue(deps)).toBe(0);
  status = 200;
  await endPauses(db, "identify");
  expect(await notifyDue(deps)).toBe(1);
});

test("identify: a rejected event is not sent again", async () => {
  status = 422;
  await login();
  expect(await notifyDue(deps)).toBe(0);
  status = 200;
  clock.advance(Day.ms);
  expect(await notifyDue(deps)).toBe(0);
  expect(await db.identify_event.findMany({ select: { last_error: true } })).toEqual([{ last_error: "refused" }]);
});

test("identify: two servers send each event once", async () => {
  for (let n = 0; n < 4; n += 1) await login();
  const sent = await Promise.all([notifyDue(deps), notifyDue(deps)]);
  expect(sent.reduce((a, b) => a + b)).toBe(4);
  expect(new Set(received.map(({ key }) => key)).size).toBe(4);
  expect(received.length).toBe(4);
});

/** What deleting an account leaves of its customer. */
const GONE = { deleted_at: new Date(MONDAY), email: null, password_hash: null };

test("identify: events of deleted accounts and old events are deleted unsent", async () => {
  const customer = await login();
  await db.customer.update({ where: { id: customer.id }, data: GONE });
  expect(await notifyDue(deps)).toBe(0);
  expect(received).toEqual([]);
  status = 503;
  await login();
  await notifyDue(deps);
  clock.advance(8 * Day.ms);
  await cleanUp({ deps, now: clock.now(), actor: { type: "system", job: "clean-up" } });
  expect(await db.identify_event.count()).toBe(0);
});

test("identify: a sent event is kept for seven days, an unsent one for two", async () => {
  const { id: customer_id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const now = clock.now();
  const event = async (created: number, sent: number | null = null) => {
    const at = (ms: number) => new Date(now.getTime() - ms);
    const data = { event: "login", customer_id, created_at: at(created), sent_at: sent === null ? null : at(sent) };
    return (await db.identify_event.create({ data })).id;
  };
  const kept = [await event(9 * Day.ms, 7 * Day.ms), await event(2 * Day.ms)];
  await event(9 * Day.ms, 7 * Day.ms + 1);
  await event(2 * Day.ms + 1);
  expect(await deleteOldEvents(db, now, 10)).toBe(2);
  expect((await db.identify_event.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id)).toEqual(kept);
});

test("identify: without a webhook nothing is sent or stored", { tags: ["spec:7.12-02"] }, async () => {
  const quiet = await buildTestApp({ url: market.url });
  expect(quiet.deps.identify).toBeNull();
  const { email } = await createCustomer(db, { hubId: hub.id, pepper: quiet.deps.env.pepper });
  expect((await quiet.shopper().post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
  expect(await db.identify_event.count()).toBe(0);
  expect(await notifyDue(quiet.deps)).toBe(0);
});
