import { existsSync } from "node:fs";
import { join } from "node:path";

import { atEnd } from "@marketday/db/testing";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { fakeAdminDist, fakeDist } from "../../test/dist.ts";
import { createHub } from "../../test/factories.ts";
import { createStaff, staffCookie } from "../../test/staff.ts";
import { buildApp } from "../app.ts";

const market = await buildTestApp({ env: { MAP_TILES_URL: "https://tiles.example/{z}/{x}/{y}.png" } });
await createHub(market.db);
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(market.deps, { webDist: fakeDist(), adminDist: fakeAdminDist() });
  atEnd(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe("the admin app at /admin", { tags: ["fail:G6", "spec:6-10"] }, () => {
  test("its page is the same for everyone, on every address, and is neither cached nor indexed nor framed", async () => {
    const person = await createStaff(market, "owner");
    const shopper = market.shopper();
    await shopper.post("/auth/guest?zipCode=46032");
    const cookies = [undefined, "mkt_session=none", await staffCookie(market, person.id)];
    for (const url of ["/admin", "/admin/", "/admin?hub=carmel", "/admin/days/carmel/2031-01-02", "/admin/none"])
      for (const cookie of cookies) {
        const { statusCode, headers, body } = await get(url, cookie === undefined ? {} : { cookie });
        expect([url, statusCode, body]).toEqual([url, 200, expect.stringContaining('<div id="root">')]);
        expect([url, headers]).toMatchObject([
          url,
          { "cache-control": "no-store", "x-robots-tag": "noindex", "content-type": "text/html; charset=utf-8" },
        ]);
        expect(headers["set-cookie"]).toBeUndefined();
        expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      }
  });

  test("its policy allows no other host, also where the shop's settings do", async () => {
    const policyOf = async (url: string) => String((await get(url)).headers["content-security-policy"]);
    expect(await policyOf("/shop")).toContain("https://tiles.example");
    for (const url of ["/admin", "/admin?x", "/admin/staff"]) expect(await policyOf(url)).not.toContain("https://");
  });

  test("its files are immutable, precompressed and retained for the tabs of an earlier build; another file is 404", async () => {
    const file = await get("/admin/assets/admin-1.js", { "accept-encoding": "br" });
    expect([file.statusCode, file.headers]).toMatchObject([
      200,
      {
        "cache-control": "public, max-age=31536000, immutable",
        "content-encoding": "br",
        "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
      },
    ]);
    expect((await get("/admin/assets/none.js")).statusCode).toBe(404);
    expect((await get("/assets/admin-1.js")).statusCode).toBe(404);
    await expect.poll(() => existsSync(join(market.dataDir, "admin-assets/admin-1.js"))).toBe(true);
  });

  test("search engines: robots.txt disallows it, and the sitemap does not list it", async () => {
    expect((await get("/robots.txt")).body).toContain("Disallow: /admin\n");
    expect((await get("/sitemap.xml")).body).not.toContain("/admin");
  });

  test("without a build: its API is served, its page is not found", async () => {
    const answer = await market.app.inject({ url: "/admin", headers: { accept: "application/json" } });
    expect(answer.statusCode).toBe(404);
  });
});
