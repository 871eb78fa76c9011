import { execFileSync } from "node:child_process";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { atEnd, createTestFolder } from "@marketday/db/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { fakeDist } from "../../../test/dist.ts";
import { createBundle, createHub, createProduct, createVendor } from "../../../test/factories.ts";
import { buildApp } from "../../app.ts";

const base = "https://market.example";
const market = await buildTestApp({ env: { PUBLIC_URL: base, MARKET_NAME: 'Tom & Sons "Greens"' } });
const { db, deps } = market;
const hub = await createHub(db);
const sold = await createProduct(db, hub.id);
const unlisted = await createProduct(db, hub.id, { isPublished: false });
const hiddenHub = await createHub(db);
const soldInHidden = await createProduct(db, hiddenHub.id);
const [bundle, hiddenBundle] = [
  await createBundle(db, [hub.id, hiddenHub.id], { items: [{ product: sold }] }),
  await createBundle(db, [hiddenHub.id], { items: [{ product: soldInHidden }] }),
];
const hiddenVendor = await createVendor(db);
const soldByHidden = await createProduct(db, hub.id, { vendorId: hiddenVendor.id });
let app: FastifyInstance;
beforeAll(async () => {
  await db.hub.update({ where: { id: hiddenHub.id }, data: { is_published: false } });
  await db.vendor.update({ where: { id: hiddenVendor.id }, data: { is_published: false } });
  await db.collection.create({ data: { slug: "roots", title: "Roots & tubers" } });
  await db.blog_post.createMany({
    data: ["2026-11-01", "2026-12-24"].map((day) => ({
      slug: `of-${day}`,
      title: day,
      author: "",
      publish_date: new Date(day),
      category: "blog",
      body: "",
    })),
  });
  app = await buildApp(deps, { webDist: fakeDist() });
  await app.ready();
});
afterAll(() => app.close());

const get = (url: string) => app.inject({ url, headers: { accept: "text/html" } });

describe("sitemap, robots and manifest", () => {
  test("sitemap: lists every public URL and no personal one, and each exists", async () => {
    const { statusCode, headers, body } = await get("/sitemap.xml");
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/xml; charset=utf-8"]);
    const paths = [...body.matchAll(/<loc>https:\/\/market\.example([^<]*)<\/loc>/g)].map((match) => match[1]!);
    expect(paths).toEqual(
      expect.arrayContaining([
        "/shop",
        "/faq",
        "/terms",
        `/hubs/${hub.id}`,
        "/collections/roots",
        `/product/${sold.slug}`,
        `/bundles/${bundle.slug}`,
        "/blog/of-2026-11-01",
      ]),
    );
    expect(body).toContain("<lastmod>2026-11-01T00:00:00.000Z</lastmod>");
    for (const none of [
      `/product/${unlisted.slug}`,
      `/hubs/${hiddenHub.id}`,
      `/product/${soldInHidden.slug}`,
      `/bundles/${hiddenBundle.slug}`,
      `/vendors/${hiddenVendor.slug}`,
      `/product/${soldByHidden.slug}`,
      "/blog/of-2026-12-24",
      "/more",
      "/favorites",
      "/embed/checkout",
    ])
      expect(paths).not.toContain(none);
    const robots = (await get("/robots.txt")).body;
    const disallowed = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map((match) => match[1]!);
    for (const path of paths) {
      const page = await get(path);
      expect([path, page.statusCode, page.body.includes('content="noindex"')]).toEqual([path, 200, false]);
      expect(disallowed.filter((start) => path.startsWith(start))).toEqual([]);
    }
  });

  test("sitemap: a post is listed when its day has begun in the market", async () => {
    const data = { title: "Tomorrow", author: "", category: "blog", body: "" };
    await db.blog_post.create({ data: { ...data, slug: "tomorrow", publish_date: new Date("2026-11-24") } });
    const listed = [];
    for (const at of ["2026-11-24T04:59:59Z", "2026-11-24T05:00:00Z"]) {
      market.clock.set(at);
      deps.cache.clear();
      listed.push((await get("/sitemap.xml")).body.includes("/blog/tomorrow"));
    }
    market.clock.set(MONDAY);
    deps.cache.clear();
    expect(listed).toEqual([false, true]);
  });

  test("sitemap: a vendor none of whose products is offered by a market is not listed", async () => {
    const offered = await createVendor(db);
    await createProduct(db, hub.id, { vendorId: offered.id });
    const withdrawn = await createVendor(db);
    await createProduct(db, hub.id, { vendorId: withdrawn.id, offerIsPublished: false });
    const { body } = await get("/sitemap.xml");
    const isListed = (slug: string) => body.includes(`<loc>${base}/vendors/${slug}</loc>`);
    expect([isListed(offered.slug), isListed(withdrawn.slug)]).toEqual([true, false]);
  });

  test("collection without a session: has its title and canonical URL; an unknown one is 404", async () => {
    const { id } = await db.collection.findFirstOrThrow({ where: { slug: "roots" } });
    for (const path of ["/collections/roots", `/collections/${id}`]) {
      const { body } = await get(path);
      expect(body).toContain("<title>Roots &amp; tubers · Tom &amp; Sons");
      expect(body).toContain(`<link rel="canonical" href="${base}/collections/roots">`);
      expect(body).not.toContain("noindex");
    }
    for (const path of ["/collections/none", "/collections/99999999999"])
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
  });

  test("robots.txt: disallows personal pages and frames, and names the sitemap", async () => {
    const { headers, body } = await get("/robots.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(body.split("\n")).toEqual(
      expect.arrayContaining(["User-agent: *", "Disallow: /api/", "Disallow: /embed/", `Sitemap: ${base}/sitemap.xml`]),
    );
    // Crawlers see the `noindex` of a tote's page only if they may open it.
    expect(body).not.toMatch(/^Disallow: \/t\/$/im);
  });

  test("sitemap and robots: publicly cached only if PUBLIC_URL is set", { tags: ["fail:G9"] }, async () => {
    const cacheControl = async (app: typeof market.app, url: string) =>
      (await app.inject({ url, headers: { host: "elsewhere.example" } })).headers["cache-control"];
    const named = await buildTestApp({ pages: true, env: { PUBLIC_URL: "http://market.example" } });
    const nameless = await buildTestApp({ pages: true });
    for (const url of ["/sitemap.xml", "/robots.txt"])
      expect([await cacheControl(named.app, url), await cacheControl(nameless.app, url)]).toEqual([
        "public, max-age=3600",
        "no-store",
      ]);
  });

  test("app manifest: has the name of the market and its icons", async () => {
    const { headers, body } = await get("/manifest.webmanifest");
    expect(headers["content-type"]).toBe("application/manifest+json; charset=utf-8");
    const manifest = JSON.parse(body);
    expect(manifest).toMatchObject({ name: 'Tom & Sons "Greens"', start_url: "/shop", display: "standalone" });
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual(["any", "any", "maskable"]);
  });
});

describe("share cards", () => {
  const tagsOf = async (url: string) =>
    Object.fromEntries(
      [...(await get(url)).body.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g)].map(
        (match) => [match[1], match[2]],
      ),
    );

  test("every page has a share card; without its own picture, with the default picture of the market", async () => {
    for (const url of ["/shop", "/faq", "/nowhere", "/blog/of-2026-11-01"])
      expect(await tagsOf(url)).toMatchObject({
        "og:site_name": "Tom &amp; Sons &quot;Greens&quot;",
        "og:image": `${base}/assets/share-1.jpg`,
        "twitter:card": "summary_large_image",
      });
    expect(await tagsOf("/blog/of-2026-11-01")).toMatchObject({
      "og:type": "article",
      "og:url": `${base}/blog/of-2026-11-01`,
    });
    expect(await tagsOf(`/product/${sold.slug}`)).toMatchObject({ "og:type": "product" });
    expect(await tagsOf("/nowhere")).not.toHaveProperty("og:url");
  });

  test("pages with a picture: the share card has its absolute URL", async () => {
    const picture = async (n: number) =>
      (await db.picture.create({ data: { id: String(n).padStart(16, "0"), alt: `Picture ${n}`, file: `${n}.jpg` } }))
        .id;
    const [of, other, hero, face, cover, headline] = await Promise.all([1, 2, 3, 4, 5, 6].map(picture));
    const eggs = await createProduct(db, hub.id);
    await db.product_picture.createMany({
      data: [of!, other!].map((picture_id, position) => ({ product_id: eggs.id, picture_id, position })),
    });
    const { slug: farm } = await db.vendor.update({
      where: { id: eggs.vendor_id },
      data: { hero_id: hero!, avatar_id: face! },
    });
    const { vendor_id: shy } = await createProduct(db, hub.id);
    const { slug: faceOnly } = await db.vendor.update({ where: { id: shy }, data: { avatar_id: face! } });
    const basket = await createBundle(db, [hub.id], { items: [{ product: eggs }] });
    const plainBasket = await createBundle(db, [hub.id], { items: [{ product: eggs }] });
    await db.bundle.update({ where: { id: basket.id }, data: { image_id: cover! } });
    await db.blog_post.update({ where: { slug: "of-2026-11-01" }, data: { image_id: headline! } });
    await market.waitForNotifications();
    market.deps.cache.clear();
    const cards: [string, string][] = [
      [`/product/${eggs.slug}`, of!],
      [`/vendors/${farm}`, hero!],
      [`/vendors/${faceOnly}`, face!],
      [`/bundles/${basket.slug}`, cover!],
      // Without its own picture: that of its first product.
      [`/bundles/${plainBasket.slug}`, of!],
      ["/blog/of-2026-11-01", headline!],
    ];
    for (const [url, id] of cards)
      expect([url, (await tagsOf(url))["og:image"]]).toEqual([url, `${base}/img/${id}/960.jpg`]);
  });

  test("shop: structured data describes its search", async () => {
    const ld = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec((await get("/shop")).body)?.[1];
    expect(JSON.parse(ld ?? "null")).toMatchObject({
      "@type": "WebSite",
      name: 'Tom & Sons "Greens"',
      potentialAction: { target: { urlTemplate: `${base}/search?q={term}` } },
    });
  });
});

test("every page and file has the security headers", { tags: ["fail:H7"] }, async () => {
  const everywhere = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
  };
  const documents = [
    "/shop",
    "/nowhere",
    "/faq",
    "/embed/terms",
    "/sitemap.xml",
    "/robots.txt",
    "/manifest.webmanifest",
  ];
  for (const url of [...documents, "/version.json", "/favicon.ico", "/", "/metrics"]) {
    const { headers } = await get(url);
    const policy = String(headers["content-security-policy"]);
    expect([url, policy]).toEqual([url, expect.stringContaining("script-src 'self';")]);
    expect([url, policy]).toEqual([url, expect.stringContaining("object-src 'none'")]);
    expect([url, headers]).toMatchObject([url, { ...everywhere, "cross-origin-opener-policy": "same-origin" }]);
  }
  for (const url of ["/assets/app-1.js", "/assets/none.js"]) {
    const { headers } = await get(url);
    const policy = "default-src 'self'; frame-ancestors 'none'";
    expect([url, headers]).toMatchObject([url, { ...everywhere, "content-security-policy": policy }]);
  }
});

/** A server of a build with one file, which listens. Its data folder is the market's. */
async function startBuild(name: string): Promise<FastifyInstance> {
  const dist = fakeDist();
  renameSync(join(dist, "assets/app-1.js"), join(dist, "assets", name));
  const server = await buildApp(deps, { webDist: dist });
  atEnd(() => server.close());
  await server.listen({ host: "127.0.0.1", port: 0 });
  return server;
}

test("assets of the previous build are served while the new server replaces the old one, and after it ended", async () => {
  const retained = (name: string) => existsSync(join(deps.env.dataDir, "assets", name));
  const before = await startBuild("app-1.js");
  const served = await before.inject({ url: "/assets/app-1.js" });
  await expect.poll(() => retained("app-1.js")).toBe(true);
  const next = await startBuild("app-2.js");
  // An open tab of the old build gets to the new server, and a new tab to the old one once the new files are copied.
  await expect.poll(() => retained("app-2.js")).toBe(true);
  const expectBoth = async (server: FastifyInstance) => {
    for (const name of ["app-1.js", "app-2.js"]) {
      const answer = await server.inject({ url: `/assets/${name}` });
      expect([name, answer.statusCode, answer.body]).toEqual([name, 200, served.body]);
      expect(answer.headers["cache-control"]).toContain("immutable");
    }
  };
  await expectBoth(next);
  await expectBoth(before);
  await before.close();
  await expectBoth(next);
  expect((await next.inject({ url: "/assets/app-3.js" })).statusCode).toBe(404);
});

test("assets of a server that is closed right after its start are still served by the next", async () => {
  await (await startBuild("app-4.js")).close();
  const next = await startBuild("app-5.js");
  expect((await next.inject({ url: "/assets/app-4.js" })).statusCode).toBe(200);
});

test("a server is ready once the files of its build are copied, so that no page names a file that the others lack", async () => {
  const dist = fakeDist();
  // Copying it waits until the test writes to it.
  const slow = join(dist, "assets/slow-1.js");
  execFileSync("mkfifo", [slow]);
  const server = await buildApp(deps, { webDist: dist });
  atEnd(() => server.close());
  await server.listen({ host: "127.0.0.1", port: 0 });
  const readiness = async () => {
    const answer = await server.inject({ url: "/readyz" });
    return [answer.statusCode, answer.json<{ status: string }>().status];
  };
  expect(await readiness()).toEqual([503, "starting"]);
  expect((await server.inject({ url: "/shop" })).statusCode).toBe(200);
  await writeFile(slow, "");
  await expect.poll(readiness).toEqual([200, "ready"]);
});

test("a data folder that takes no files: the server starts, serves its own files and logs the reason", async () => {
  const dataDir = createTestFolder("unwritable");
  writeFileSync(join(dataDir, "assets"), "no folder");
  const warn = vi.spyOn(deps.log, "warn");
  const server = await buildApp({ ...deps, env: { ...deps.env, dataDir } }, { webDist: fakeDist() });
  atEnd(() => server.close());
  await server.listen({ host: "127.0.0.1", port: 0 });
  expect((await server.inject({ url: "/assets/app-1.js" })).statusCode).toBe(200);
  expect(warn.mock.calls).toEqual([
    [
      { err: expect.objectContaining({ code: "EEXIST" }) },
      "the assets of this build could not be copied to the data folder",
    ],
  ]);
});
