import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";

import { execute, notify, sql, sqlTransaction } from "@marketday/db";
import { Hour } from "@marketday/domain/time";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { buildTestApp, MONDAY } from "../../test/app.ts";
import { openStream } from "../../test/event-stream.ts";
import { CHOICE, createHub, createProduct } from "../../test/factories.ts";
import { waitForLock } from "../../test/locks.ts";
import { signIn } from "../../test/sign-in.ts";
import { staffOf } from "../../test/staff.ts";

const market = await buildTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
const { db } = market;
const [hub, otherHub] = [await createHub(db), await createHub(db)];
const deliveryOf = ({ deliveries }: typeof hub) => deliveries[0]!.id;
beforeEach(() => market.clock.set(MONDAY));

const ready = { event: "ready", data: { build: null } };
const ended = { end: true };

/** Another server of the same market. */
const secondServer = () =>
  buildTestApp({ url: market.url, env: { SESSION_SECRET: market.deps.env.sessionSecrets.join(",") } });

/** A new person's open stream that has received its first event. */
async function streamOf(...grants: Parameters<typeof staffOf> extends [unknown, ...infer G] ? G : never) {
  const person = await staffOf(market, ...grants);
  // Its own roles were notified before its page opens.
  await market.waitForNotifications();
  const stream = await openStream(market.port, person.cookie);
  await expect.poll(() => stream.received).toEqual([ready]);
  return { ...person, stream };
}

describe("event stream", { tags: ["fail:N15"] }, () => {
  test("its headers forbid caches, proxies and compression to hold it back", async () => {
    const { stream } = await streamOf("auditor");
    expect([stream.status, stream.headers]).toMatchObject([
      200,
      {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      },
    ]);
    expect(stream.headers["content-encoding"]).toBeUndefined();
    expect(stream.text()).toMatch(/^retry: \d{4}\n\nevent: ready\n/);
    stream.close();
    await stream.ended;
    await expect.poll(() => market.app.liveEvents.size).toBe(0);
  });

  test("without a staff session, or with a shopper's: 401", async () => {
    const shopper = await signIn(market, { hubId: hub.id });
    for (const cookie of ["", shopper.cookieHeader()]) {
      const stream = await openStream(market.port, cookie);
      await stream.ended;
      expect([stream.status, stream.text()]).toEqual([401, expect.stringContaining("sign_in_required")]);
    }
  });

  test("a checkout sends one event with ids to people with a role in its market, and none to others", async () => {
    // Before the pages open: the product is announced to all who read any.
    const eggs = await createProduct(db, hub.id);
    await market.waitForNotifications();
    const everywhere = await streamOf("support");
    const here = await streamOf({ role: "depot_lead", hubId: hub.id });
    const elsewhere = await streamOf({ role: "manager", hubId: otherHub.id });
    const shopper = await signIn(market, { hubId: hub.id });
    await shopper.put("/cart", [eggs.line(2)]);
    const { orderTotal } = (await shopper.post("/checkout/quote", CHOICE)).body;
    expect((await shopper.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
    await db.delivery_run.create({
      data: {
        delivery_id: deliveryOf(otherHub),
        step: "open",
        state: "done",
        lease_until: market.clock.now(),
        started_at: market.clock.now(),
      },
    });
    const orders = { event: "orders", data: { hubId: hub.id, deliveryId: deliveryOf(hub) } };
    const day = { event: "day", data: { hubId: otherHub.id, deliveryId: deliveryOf(otherHub) } };
    await expect.poll(() => everywhere.stream.received).toContainEqual(day);
    await expect.poll(() => elsewhere.stream.received).toEqual([ready, day]);
    await expect.poll(() => here.stream.received).toContainEqual(orders);
    expect(everywhere.stream.received).toContainEqual(orders);
    expect(here.stream.received).not.toContainEqual(day);
    for (const { stream } of [everywhere, here, elsewhere]) stream.close();
  });

  test("a product changes: every page of a person who reads products gets the event", async () => {
    const [reader, editor] = [await streamOf({ role: "hub_lead", hubId: otherHub.id }), await streamOf("auditor")];
    const { id } = await createProduct(db, hub.id);
    await db.product.update({ where: { id }, data: { title: "Duck eggs" } });
    for (const { stream } of [reader, editor])
      await expect.poll(() => stream.received).toContainEqual({ event: "products", data: {} });
    for (const { stream } of [reader, editor]) stream.close();
  });

  test("an order that moves to another day names both days", async () => {
    const { stream } = await streamOf("owner");
    const order = await db.order.findFirstOrThrow({ where: { delivery_id: deliveryOf(hub) } });
    const next = hub.deliveries[1]!.id;
    await db.order.update({ where: { id: order.id }, data: { delivery_id: next } });
    for (const deliveryId of [deliveryOf(hub), next])
      await expect.poll(() => stream.received).toContainEqual({ event: "orders", data: { hubId: hub.id, deliveryId } });
    stream.close();
  });

  test("own roles change: the page is notified; other people are not", { tags: ["fail:N3"] }, async () => {
    const [changed, other] = [await streamOf("owner"), await streamOf("owner")];
    await db.staff_grant.create({ data: { staff_id: changed.person.id, role: "editor", hub_id: hub.id } });
    await expect.poll(() => changed.stream.received).toEqual([ready, { event: "staff", data: {} }]);
    await market.waitForNotifications();
    expect(other.stream.received).toEqual([ready]);
    for (const { stream } of [changed, other]) stream.close();
  });

  test.for([
    [
      "the session is ended",
      (id: number) => db.staff_session.updateMany({ where: { staff_id: id }, data: { ended_at: new Date(MONDAY) } }),
    ],
    [
      "the person is disabled",
      (id: number) => db.staff.update({ where: { id }, data: { disabled_at: new Date(MONDAY) } }),
    ],
  ] as const)("%s: the stream ends, and a reconnect is 401", { tags: ["fail:N3"] }, async ([, end]) => {
    const { stream, person, cookie } = await streamOf("owner");
    await end(person.id);
    await stream.ended;
    expect(stream.received).toEqual([ready, { event: "staff", data: {} }, ended]);
    expect((await openStream(market.port, cookie)).status).toBe(401);
  });

  test("a session that expires: the next heartbeat ends its stream; an open stream does not prolong it", async () => {
    const { stream } = await streamOf("owner");
    const fresh = await streamOf("owner");
    market.clock.advance(8 * Hour.ms);
    const stays = await streamOf("owner");
    await market.app.liveEvents.beat();
    await Promise.all([stream.ended, fresh.stream.ended]);
    expect(stream.received).toEqual([ready, { event: "staff", data: {} }, ended]);
    await expect.poll(() => stays.stream.text()).toMatch(/\n\n:\n\n$/);
    expect(stays.stream.received).toEqual([ready]);
    stays.stream.close();
  });

  test("notifications were lost: every page is to reread", async () => {
    const { stream } = await streamOf("bookkeeper");
    const { forgetCached } = await import("../changes.ts");
    forgetCached(market);
    await expect.poll(() => stream.received).toEqual([ready, { event: "reread", data: {} }]);
    stream.close();
  });

  test.for(["", "{", JSON.stringify({ deliveryId: 1 })])(
    "a notification of a later version that cannot be read (%j): every page is to reread, and the server goes on",
    async (payload) => {
      const { stream } = await streamOf("bookkeeper");
      await notify(db, "orders", payload);
      await notify(db, "day", payload);
      const reread = { event: "reread", data: {} };
      await expect.poll(() => stream.received).toEqual([ready, reread, reread]);
      stream.close();
    },
  );

  test.for([
    ["http", 4],
    ["https", 10],
  ] as const)(
    "over %s a session has at most %i streams, and one that was closed frees its place",
    async ([scheme, most]) => {
      const { cookie } = await staffOf(market, "owner");
      const open = () => openStream(market.port, cookie, { "x-forwarded-proto": scheme });
      const streams = await Promise.all(Array.from({ length: most }, open));
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      const refused = await open();
      await refused.ended;
      expect([refused.status, refused.text()]).toEqual([429, expect.stringContaining("too_many_streams")]);
      streams[0]!.close();
      await expect.poll(async () => (streams[0] = await open()).status).toBe(200);
      for (const { close } of streams) close();
    },
  );

  test("a browser that leaves while its session is read occupies no stream", async () => {
    const { cookie } = await staffOf(market, "owner");
    await market.waitForNotifications();
    const { server, liveEvents } = market.app;
    const opening = vi.spyOn(liveEvents, "open");
    await expect.poll(() => liveEvents.size).toBe(0);
    await sqlTransaction(db, async (tx) => {
      await execute(tx, sql`lock table staff_session in access exclusive mode`);
      const arrived = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
      const page = request({ port: market.port, path: "/api/admin/events", headers: { cookie }, agent: false }).end();
      page.on("error", () => undefined);
      const [, response] = await arrived;
      const left = once(response, "close");
      await waitForLock(db, left);
      page.destroy();
      await left;
    });
    await expect.poll(() => opening.mock.calls.length).toBe(1);
    opening.mockRestore();
    expect(liveEvents.size).toBe(0);
  });

  test("events that come faster than they are read: all are received up to 64 KiB, beyond which the stream is cut", async () => {
    const { stream } = await streamOf("owner");
    const { liveEvents } = market.app;
    const { size } = liveEvents;
    for (let sent = 0; sent < 500; sent += 1) liveEvents.reread();
    await expect.poll(() => stream.received.length).toBe(501);
    for (let sent = 0; sent < 10_000 && liveEvents.size === size; sent += 1) liveEvents.reread();
    expect(liveEvents.size).toBe(size - 1);
    await stream.ended;
    expect(stream.received.at(-1)).toEqual(ended);
  });

  test("a server that drains ends its streams at once and each new one, so that a restart does not wait for pages", async () => {
    const server = await secondServer();
    const cookies = await Promise.all(
      ["owner", "support", "editor"].map(async (role) => (await staffOf(market, role as "owner")).cookie),
    );
    const streams = await Promise.all(cookies.map((cookie) => openStream(server.port, cookie)));
    for (const stream of streams) await expect.poll(() => stream.received[0]).toEqual(ready);
    server.app.startDraining();
    await Promise.all(streams.map((stream) => stream.ended));
    const late = await openStream(server.port, cookies[0]!);
    await late.ended;
    // An answer that is not 200 would end the browser's attempts.
    expect([late.status, late.text()]).toEqual([200, expect.stringMatching(/^retry: \d+\n\n$/)]);
    await server.close();
    const again = await openStream(market.port, cookies[0]!);
    await expect.poll(() => again.received[0]).toEqual(ready);
    again.close();
  });

  test("a server that closes without draining ends its streams", async () => {
    const server = await secondServer();
    const { cookie } = await staffOf(market, "owner");
    const stream = await openStream(server.port, cookie);
    await expect.poll(() => stream.received[0]).toEqual(ready);
    await server.close();
    await stream.ended;
    expect(stream.received.at(-1)).toEqual(ended);
  });
});
