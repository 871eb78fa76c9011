import { execute, sql } from "@marketday/db";
import { toteAddress } from "@marketday/domain/sheets";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { addMs, Hour } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";
import { marketUrl } from "../../lib/market-url.ts";

const market = await buildTestApp({ env: { MARKET_NAME: "Tom & Sons <Greens>", PUBLIC_URL: "http://market.example" } });
const { db, deps, clock } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id);
const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper, firstName: "Quentin" });
const { id: orderId } = await createOrder(db, { customerId, hub, product: eggs });
const order = `/admin/orders/${orderId}`;
beforeEach(() => clock.set(MONDAY));

/** What the server answers over HTTP; redirects are not followed. */
async function open(path: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await fetch(`http://127.0.0.1:${market.port}${path}`, { method, headers, redirect: "manual" });
  const { status } = answer;
  return { status, location: answer.headers.get("location"), headers: answer.headers, body: await answer.text() };
}
/** Expects the page of a stranger: the same for any code, but for the way in, which has the code of its address. */
async function expectPlain(path: string, headers: Record<string, string>): Promise<void> {
  const shown = async (...request: Parameters<typeof open>) => {
    const { status, location, body } = await open(...request);
    return { status, location, page: body.replace(/"\/admin(\/orders\/\d+)?"/, '"/admin"') };
  };
  expect([path, await shown(path, headers)]).toEqual([path, await shown("/T/999999999")]);
}

describe("address of a tote", () => {
  test("a stranger: the market's name, no data of the order, and a link to the sign-in", async () => {
    const { status, headers, body } = await open(`/T/${orderId}`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body).toContain("<h1>A tote of Tom &amp; Sons &lt;Greens&gt;</h1>");
    expect(body).toContain(`href="mailto:${deps.env.supportEmail}"`);
    expect(body).toContain(
      `href="tel:${deps.env.supportPhone.replaceAll(/[^+\d]/g, "")}">${deps.env.supportPhone}</a>`,
    );
    expect(body).toContain(`href="${order}"`);
    expect(body).not.toContain("Quentin");
  });

  test("a stranger: the page is in no cache and no search engine, runs no script and sets no cookie", async () => {
    const { headers } = await open(`/T/${orderId}`);
    expect([headers.get("cache-control"), headers.get("x-robots-tag")]).toEqual(["no-store", "noindex"]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.getSetCookie()).toEqual([]);
  });

  test.for([
    "999999999",
    "0",
    "-1",
    "1e3",
    "0x10",
    "9".repeat(20),
    "9".repeat(99),
    "abc",
    "%3Cscript%3E",
    "%00",
    "1%27",
    "%F0%9F%A5%95",
  ])("code %s, which no order has: the page of a stranger, also for the staff", { tags: ["fail:G6"] }, async (code) => {
    const { cookie } = await staffOf(market, "owner");
    for (const headers of [{}, { cookie }] as Record<string, string>[]) await expectPlain(`/T/${code}`, headers);
    expect((await open(`/T/${code}`)).body).not.toContain("<script");
  });

  test("a stranger: no statement reaches the database, whatever the code and the cookie", async () => {
    const statements = await market.statements(async () => {
      await open(`/T/${orderId}`);
      await open(`/T/${orderId}`, { cookie: "mkt_staff=forged" });
      await open("/T/abc");
    });
    expect(statements).toEqual([]);
  });

  test("staff who may read the market's orders: the order, by the address of the label and in small letters", async () => {
    const { pathname } = new URL(toteAddress(marketUrl(deps.env), { orderId }));
    for (const person of [
      await staffOf(market, "owner"),
      await staffOf(market, { role: "depot_lead", hubId: hub.id }),
    ]) {
      for (const path of [pathname, `/t/${orderId}`, `/T/${orderId}/`]) {
        const { status, location, headers } = await open(path, { cookie: person.cookie });
        expect([path, status, location, headers.get("cache-control")]).toEqual([path, 303, order, "no-store"]);
      }
      expect((await person.get(`/orders/${orderId}`)).status).toBe(200);
    }
  });

  test("an add-on's number: the order of its box", async () => {
    const addOn = await createOrder(db, { customerId, hub, product: eggs });
    await db.order.update({ where: { id: addOn.id }, data: { add_on_to_id: orderId } });
    const { cookie } = await staffOf(market, "owner");
    expect((await open(`/T/${addOn.id}`, { cookie })).location).toBe(order);
  });

  test(
    "staff of another market, or who may read no orders: the page of a stranger",
    { tags: ["fail:G6"] },
    async () => {
      const other = await createHub(db);
      for (const grant of [{ role: "hub_lead", hubId: other.id }, "editor"] as const) {
        const { cookie } = await staffOf(market, grant);
        await expectPlain(`/T/${orderId}`, { cookie });
      }
    },
  );

  test("a session that was signed out, has expired, or is of a disabled person: the page of a stranger", async () => {
    const [out, idle, disabled, demoted] = [
      await staffOf(market, "owner"),
      await staffOf(market, "owner"),
      await staffOf(market, "manager"),
      await staffOf(market, "manager"),
    ];
    for (const { cookie } of [out, idle, disabled, demoted])
      expect((await open(`/T/${orderId}`, { cookie })).location).toBe(order);
    await out.delete("/session");
    await db.staff.update({ where: { id: disabled.person.id }, data: { disabled_at: clock.now() } });
    await db.staff_grant.deleteMany({ where: { staff_id: demoted.person.id } });
    await market.waitForNotifications();
    for (const { cookie } of [out, disabled, demoted]) await expectPlain(`/T/${orderId}`, { cookie });
    // Opening a tote is no use of the session: it ends as if the person had done nothing.
    const signedIn = clock.now();
    clock.set(addMs(signedIn, 1 * Hour.ms).toISOString());
    expect((await open(`/T/${orderId}`, { cookie: idle.cookie })).location).toBe(order);
    clock.set(addMs(signedIn, STAFF_SESSION.idleMs).toISOString());
    await expectPlain(`/T/${orderId}`, { cookie: idle.cookie });
  });

  test("HEAD: the headers of GET, without a body", async () => {
    const { cookie } = await staffOf(market, "owner");
    const stranger = await open(`/T/${orderId}`, {}, "HEAD");
    expect([stranger.status, stranger.body, stranger.headers.get("x-robots-tag")]).toEqual([200, "", "noindex"]);
    const staff = await open(`/T/${orderId}`, { cookie }, "HEAD");
    expect([staff.status, staff.body, staff.location]).toEqual([303, "", order]);
  });

  test("POST: there is nothing to send", async () => {
    expect((await open(`/T/${orderId}`, { "sec-fetch-site": "same-origin" }, "POST")).status).toBe(404);
  });

  test.for<[site: string, headers: Record<string, string>]>([
    ["cross-site", { "sec-fetch-site": "cross-site" }],
    ["none", { "sec-fetch-site": "none" }],
    ["no header, as over plain http", {}],
  ])(
    "opened by another app without the staff's cookie, %s: opened once more from the page itself",
    async ([, headers]) => {
      const first = await open(`/T/${orderId}`, headers);
      const again = /^0; url=(\S+)$/.exec(first.headers.get("refresh") ?? "")?.[1];
      expect([first.status, again]).toEqual([200, `/t/${orderId}?again`]);
      const { cookie } = await staffOf(market, "owner");
      expect((await open(again!, { cookie, "sec-fetch-site": "same-origin" })).location).toBe(order);
      // Once, whatever the browser names as its origin; and a code that is no number is not opened again.
      for (const path of [again!, "/T/abc"]) expect((await open(path, headers)).headers.get("refresh")).toBeNull();
    },
  );

  test.for(["same-origin", "same-site"])(
    "opened from a %s page, which sends the staff's cookie: not opened again",
    async (site) => {
      expect((await open(`/T/${orderId}`, { "sec-fetch-site": site })).headers.get("refresh")).toBeNull();
    },
  );

  test(
    "the order cannot be read: a page that can be tried again, with how to reach the market",
    { tags: ["fail:G8"] },
    async () => {
      const { cookie } = await staffOf(market, "owner");
      await execute(db, sql`alter table staff_session rename to staff_session_away`);
      try {
        const { status, headers, location, body } = await open(`/T/${orderId}`, { cookie });
        expect([status, location, headers.get("cache-control")]).toEqual([503, null, "no-store"]);
        expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(body).toContain(`href="mailto:${deps.env.supportEmail}"`);
        expect(body).toContain(`href="${order}"`);
        expect(body).not.toMatch(/staff_session|Quentin/);
      } finally {
        await execute(db, sql`alter table staff_session_away rename to staff_session`);
      }
      expect((await open(`/T/${orderId}`, { cookie })).location).toBe(order);
    },
  );
});
