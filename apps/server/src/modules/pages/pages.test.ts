import { brotliDecompressSync } from "node:zlib";

import type { Boot } from "@marketday/contracts/boot";
import { execute, sql } from "@marketday/db";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { fakeDist } from "../../../test/dist.ts";
import {
  createBundle,
  createCustomer,
  createHub,
  createProduct,
  createVendor,
  PASSWORD,
} from "../../../test/factories.ts";
import { shopper } from "../../../test/shopper.ts";
import { buildApp } from "../../app.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db, { name: "Carmel market" });
const eggs = await createProduct(db, hub.id, { title: 'Eggs </script><script>alert("x")</script>', priceCents: 725 });
const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: "2026-12-20" });
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(deps, { webDist: fakeDist() });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

async function guest() {
  const browser = shopper(app);
  await browser.post("/auth/guest?zipCode=46032");
  return browser;
}
const open = (browser: ReturnType<typeof shopper>, url: string) =>
  browser.get(`//${url.slice(1)}`, { accept: "text/html" });
const bootOf = (html: string) =>
  Object.assign(
    {},
    ...["boot", "own"].map((id) =>
      JSON.parse(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, "s").exec(html)![1]!),
    ),
  ) as Boot;

test("pages of a guest: profile and cart take one statement, and are those of the calls", async () => {
  const browser = await guest();
  const count = async () => {
    const statements = await market.statements(() => open(browser, "/shop"));
    return statements.filter((text) => !text.includes("from session")).length;
  };
  const expectTheCalls = async () => {
    const boot = bootOf((await open(browser, "/shop")).text);
    expect(boot.cart).toEqual((await browser.get("/cart")).body);
    expect(boot.profile).toEqual((await browser.get("/account/profile")).body);
    return boot.cart;
  };
  expect(await expectTheCalls()).toMatchObject({ id: null, revision: 0, items: [] });
  expect(await count()).toBe(1);
  expect((await browser.put("/cart", [eggs.line(2), turkey.line(1)])).status).toBe(200);
  expect((await expectTheCalls())?.items.map(({ quantity }) => quantity)).toEqual([2, 1]);
  expect(await count()).toBe(1);
});

test(
  "pages with a session: not stored by browsers; pages without a session: stored",
  { tags: ["fail:G9"] },
  async () => {
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const signedIn = shopper(app);
    expect((await signedIn.post("/auth/login", { username: customer.email, password: PASSWORD })).status).toBe(200);
    for (const url of ["/shop", "/faq", "/more", "/embed/checkout", "/nowhere"]) {
      const cacheControl = async (browser: ReturnType<typeof shopper>) =>
        (await open(browser, url)).headers["cache-control"];
      expect([
        url,
        await cacheControl(shopper(app)),
        await cacheControl(await guest()),
        await cacheControl(signedIn),
      ]).toEqual([url, "private, no-cache", "no-store", "no-store"]);
    }
  },
);

test("shop: server-rendered with the responses that the app would fetch first", { tags: ["spec:2.1-04"] }, async () => {
  const browser = await guest();
  const page = await open(browser, "/shop");
  expect([page.status, page.headers["content-type"], page.headers["cache-control"]]).toEqual([
    200,
    "text/html; charset=utf-8",
    "no-store",
  ]);
  expect(page.text).toContain("<title>Carmel market · Little Wagon</title>");
  expect(page.text).toContain("<h1>Thursday’s market is open</h1>");
  // The same sentence as in the app (web review 12), so that it does not change when the app renders.
  expect(page.text).toContain(
    "<p>Fill the wagon by <strong>1AM Wednesday</strong>. It reaches your door Thursday, $8.95 flat.</p>",
  );
  const boot = bootOf(page.text);
  expect(boot.session).toEqual((await browser.get("/auth")).body);
  expect(boot.profile).toEqual((await browser.get("/account/profile")).body);
  expect(boot.cart).toEqual((await browser.get("/cart")).body);
  expect(boot.feed).toEqual((await browser.get("/feed")).body);
  expect(boot.collections).toEqual((await browser.get("/collections")).body);
  expect(boot.hub).toMatchObject({ id: hub.id, cutoff: "2026-11-25T06:00:00.000Z" });
  expect(boot.now).toBe("2026-11-23T17:00:00.000Z");
});

test("shop fallback: has the products that the app shows first, each once, with price", async () => {
  const jam = await createProduct(db, hub.id, { title: "Plum Jam & Peel", priceCents: 500, salePriceCents: 450 });
  await db.variant.update({ where: { id: jam.variant.id }, data: { unit: "8 oz", measure: "oz", measure_amount: 8 } });
  await db.post.create({
    data: { type: "staff-pick", hub_id: hub.id, product_id: jam.id, title: "", created_at: market.clock.now() },
  });
  deps.cache.clear();
  const page = await open(await guest(), "/shop");
  const titles = [...page.text.matchAll(/<li><a href="\/product\/[^"]+">.*?<span>([^<]*)<\/span>/g)].map(
    (match) => match[1],
  );
  expect(titles[0]).toBe("Plum Jam &amp; Peel");
  expect(new Set(titles).size).toBe(titles.length);
  expect(page.text).toContain("<span>Plum Jam &amp; Peel</span></a><b>$4.50</b> 8 oz · $0.56 / oz</li>");
  await db.post.deleteMany();
  deps.cache.clear();
});

test("first visit: the Welcome chunk is preloaded; with a hub it is not", async () => {
  const welcome = '<link rel="modulepreload" href="/assets/welcome-1.js">';
  expect((await open(shopper(app), `/product/${turkey.slug}`)).text).toContain(welcome);
  expect((await open(shopper(app), "/embed/checkout")).text).not.toContain(welcome);
  expect((await open(await guest(), `/product/${turkey.slug}`)).text).not.toContain(welcome);
});

test("product page: has canonical URL, preloads, structured data and status", async () => {
  const page = await open(await guest(), `/product/${turkey.slug}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<link rel="canonical" href="http://localhost:80/product/${turkey.slug}">`);
  expect(page.text).toContain(
    '<link rel="modulepreload" href="/assets/product-1.js">\n    <link rel="modulepreload" href="/assets/shared-1.js">\n    <link rel="stylesheet" href="/assets/product-1.css">',
  );
  expect(page.text).not.toContain('modulepreload" href="/assets/kit-1.js');
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text)![1]!) as Record<
    string,
    any
  >;
  expect(data).toMatchObject({
    "@type": "Product",
    name: "Turkey",
    offers: { name: "Each", priceCurrency: "USD", price: "6.50", availability: "https://schema.org/PreOrder" },
  });
  expect(page.text).toContain("<p>$6.50 · Each</p>");
  expect(bootOf(page.text).product).toMatchObject({ key: turkey.slug, product: { id: turkey.id } });
  const byId = await open(await guest(), `/products/${turkey.id}`);
  expect(byId.text).toContain(`/product/${turkey.slug}">`);
});

test("vendor text: escaped in HTML and in the preloaded state", { tags: ["fail:H2"] }, async () => {
  const page = await open(await guest(), `/product/${eggs.slug}`);
  expect(page.text).not.toContain("<script>alert");
  expect(page.text).toContain("<h1>Eggs &lt;/script&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</h1>");
  expect(bootOf(page.text).product?.product.title).toBe('Eggs </script><script>alert("x")</script>');
});

test(
  "market pages: the list, and each with its area in the fallback and in structured data",
  { tags: ["spec:2.1-21", "spec:2.1-22"] },
  async () => {
    const far = await createHub(db, {
      name: 'Square "One" market',
      boundaries: ["POLYGON((-86.33 39.6, -85.85 39.6, -85.85 40.23, -86.33 40.23, -86.33 39.6))"],
      deliveryFeeCents: null,
      zips: ["46032"],
    });
    deps.cache.clear("hubs");
    // They need no session.
    const list = await open(shopper(app), "/hubs");
    expect([list.status, list.text.includes('<link rel="canonical" href="http://localhost:80/hubs">')]).toEqual([
      200,
      true,
    ]);
    expect(list.text).toContain(
      `<li><a href="/hubs/${far.id}">Square &quot;One&quot; market</a> Delivers on Thursdays, order by 1AM Wednesday, $8.95 flat.</li>`,
    );
    const page = await open(shopper(app), `/hubs/${far.id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<link rel="canonical" href="http://localhost:80/hubs/${far.id}">`);
    expect(page.text).toContain(
      "<h1>Square &quot;One&quot; market</h1><p>Delivers on Thursdays, order by 1AM Wednesday, $8.95 flat.</p><svg",
    );
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text)![1]!) as Record<
      string,
      any
    >;
    expect(data).toMatchObject({
      "@type": "LocalBusiness",
      name: 'Square "One" market',
      address: { addressLocality: "Carmel", addressRegion: "IN" },
      areaServed: expect.arrayContaining([{ "@type": "AdministrativeArea", name: "Hamilton, Indiana" }]),
    });
    // A market without boundaries shows its zip codes.
    const plain = await open(shopper(app), `/hubs/${hub.id}`);
    expect(plain.text).toContain("<p>Zip codes: 46032, 46033.</p>");
    expect(plain.text).not.toContain("<svg");
  },
);

test(
  "vendor pages: the list, each with its place and structured data, and its products page by page",
  { tags: ["spec:2.1-08", "spec:2.1-09", "spec:2.1-10"] },
  async () => {
    const { id, slug, hash } = await createVendor(db, { name: 'Rooted & "Acre"' });
    for (let made = 0; made < 20; made += 1)
      await createProduct(db, hub.id, { vendorId: id, title: `Radishes ${made}` });
    const list = await open(await guest(), "/vendors");
    expect(list.status).toBe(200);
    expect(list.text).toContain("<h1>Browse Local Farms &amp; Artisans</h1>");
    expect(list.text).toContain(`<li><a href="/vendors/${slug}">Rooted &amp; &quot;Acre&quot;</a> Sheridan, IN</li>`);
    for (const url of [`/vendors/${slug}`, `/vendors/${id}`, `/vendors/${hash}?hashed=true`]) {
      const page = await open(await guest(), url);
      expect([url, page.status]).toEqual([url, 200]);
      expect(page.text).toContain(`<link rel="canonical" href="http://localhost:80/vendors/${slug}">`);
      expect(page.text).toContain("<h1>Rooted &amp; &quot;Acre&quot;</h1><p>Sheridan, IN</p><p>Family farm.</p>");
      const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text)![1]!) as unknown;
      expect(data).toMatchObject({
        "@type": "LocalBusiness",
        name: 'Rooted & "Acre"',
        address: { addressLocality: "Sheridan", addressRegion: "IN" },
      });
    }
    const store = await open(await guest(), `/collections/vendor/${slug}?page=2`);
    expect(store.text).toContain(`<link rel="canonical" href="http://localhost:80/collections/vendor/${slug}?page=2">`);
    expect(store.text.match(/<li><a href="\/product\//g)).toHaveLength(2);
    expect((await open(await guest(), `/collections/vendor/${slug}?page=-1`)).text).toContain(
      `<link rel="canonical" href="http://localhost:80/collections/vendor/${slug}">`,
    );
    const old = await app.inject({ url: `/collections?vendor=${id}&page=2`, headers: { accept: "text/html" } });
    expect([old.statusCode, old.headers.location]).toEqual([302, `/collections/vendor/${id}?page=2`]);
    const odd = await app.inject({ url: "/collections?vendor=//evil.example", headers: { accept: "text/html" } });
    expect(odd.headers.location).toBe("/collections/vendor/%2F%2Fevil.example");
  },
);

test(
  "bundle pages: the list, and each with its products and price",
  { tags: ["spec:2.1-14", "spec:2.1-15"] },
  async () => {
    const soup = await createBundle(db, [hub.id], { title: "Soup & Bread", items: [{ product: turkey, quantity: 2 }] });
    const list = await open(await guest(), "/bundles");
    expect(list.status).toBe(200);
    expect(list.text).toContain(`<li><a href="/bundles/${soup.slug}">Soup &amp; Bread</a> $11.70</li>`);
    for (const key of [soup.slug, soup.id]) {
      const page = await open(await guest(), `/bundles/${key}`);
      expect([key, page.status]).toEqual([key, 200]);
      expect(page.text).toContain(`<link rel="canonical" href="http://localhost:80/bundles/${soup.slug}">`);
      expect(page.text).toContain(`<li>2 × <a href="/product/${turkey.slug}">Turkey</a>, Each</li>`);
      const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text)![1]!) as unknown;
      expect(data).toMatchObject({ "@type": "Product", name: "Soup & Bread", offers: { price: "11.70" } });
    }
    // The special hub has none.
    const special = await createHub(db, { id: deps.env.specialHubId, name: "Special", zips: ["60601"] });
    deps.cache.clear("hubs");
    const specialGuest = shopper(app);
    expect((await specialGuest.post(`/auth/guest?hubId=${special.id}`)).status).toBe(200);
    for (const path of ["/bundles", `/bundles/${soup.slug}`])
      expect([path, (await open(specialGuest, path)).status]).toEqual([path, 404]);
    // Without a hub, the products are shown and no price.
    const withoutHub = await open(shopper(app), `/bundles/${soup.slug}`);
    expect([
      withoutHub.status,
      withoutHub.text.includes("<h1>Soup &amp; Bread</h1>"),
      withoutHub.text.includes('"offers"'),
    ]).toEqual([200, true, false]);
  },
);

test("descriptions: characters that the sanitizer escaped are shown as themselves, in the fallback and in share cards", async () => {
  const { slug } = await createVendor(db, { name: "Tom & Sons" });
  await db.vendor.update({ where: { slug }, data: { description: "<p>Rye &amp; oats</p><p>from <b>us</b>.</p>" } });
  const page = await open(await guest(), `/vendors/${slug}`);
  expect(page.text).toContain("<p>Rye &amp; oats from us.</p>");
  expect(page.text).toContain('<meta property="og:description" content="Rye &amp; oats from us.">');
});

test("collections page: lists the collections of the hub", { tags: ["spec:2.1-05"] }, async () => {
  const { id } = await db.collection.create({
    data: {
      slug: "eggs",
      title: "Eggs & more",
      show_in_collections: true,
      products: { create: { product_id: eggs.id } },
    },
  });
  deps.cache.clear();
  const page = await open(await guest(), "/collections");
  expect(page.status).toBe(200);
  expect(page.text).toContain("<h1>Collections</h1>");
  expect(page.text).toContain('<li><a href="/collections/eggs">Eggs &amp; more</a></li>');
  expect((await open(shopper(app), "/collections")).status).toBe(200);
  await db.collection.delete({ where: { id } });
});

test("unknown URLs and rows: the 404 page with status 404", { tags: ["spec:2.1-32", "spec:8-13"] }, async () => {
  for (const path of [
    "/404",
    "/nowhere",
    "/product/none",
    "/products/999999",
    "/collections/none",
    "/hubs/999999",
    "/vendors/none",
    "/bundles/none",
    "/bundles/999999",
    "/vendors/999999",
    "/vendors/0000000000000000?hashed=true",
    "/collections/vendor/none",
    "/hubs/abc",
    `/hubs/0${hub.id}`,
    "/shop/deeper",
    "/embed/none",
  ]) {
    const page = await open(await guest(), path);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain("Page died of dysentery");
    expect(page.text).toContain('<meta name="robots" content="noindex">');
  }
  const data = await app.inject({ url: "/nowhere.json", headers: { accept: "application/json" } });
  expect([data.statusCode, data.json()]).toEqual([404, ["Not found.", { code: "not_found" }]]);
});

test("/ redirects to the shop and keeps the query", { tags: ["spec:2.1-01"] }, async () => {
  const answer = await app.inject({ url: "/?trk=flyer&utm_source=x", headers: { accept: "text/html" } });
  expect([answer.statusCode, answer.headers.location]).toEqual([302, "/shop?trk=flyer&utm_source=x"]);
  for (const path of ["//evil.example", "/\\evil.example", "/?q=//evil.example"]) {
    const { headers } = await app.inject({ url: path, headers: { accept: "text/html" } });

    expect(headers.location ?? "/").toMatch(/^\/(?![/\\])/);
  }
});

test("/?q= redirects to the search and keeps the query", { tags: ["spec:2.1-02", "spec:2.2-02"] }, async () => {
  const { headers } = await app.inject({ url: "/?q=sweet%20corn&utm_source=x", headers: { accept: "text/html" } });
  expect(headers.location).toBe("/search?q=sweet%20corn&utm_source=x");
  const without = await app.inject({ url: "/?q=%20&trk=flyer", headers: { accept: "text/html" } });
  expect(without.headers.location).toBe("/shop?q=%20&trk=flyer");
});

test("search and Quick Shop: not indexed", { tags: ["fail:H2"] }, async () => {
  const browser = await guest();
  const search = await open(browser, `/search?q=${encodeURIComponent('</title><script>alert("x")</script>')}`);
  expect(search.status).toBe(200);
  expect(search.text).not.toContain("<script>alert");
  expect(search.text).toContain("<h1>Search</h1><p>for “&lt;/title&gt;");
  for (const path of ["/search", "/search?q=a&q=b", "/favorites"]) {
    const page = await open(browser, path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
  }
});

test("ended session: no session in the preloaded state; without a session, the shop has no feed", async () => {
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = shopper(app);
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  const cookie = browser.cookies.get("mkt_session")!;
  await browser.put("/auth/logout");
  browser.cookies.set("mkt_session", cookie);
  const page = await open(browser, "/shop");
  expect([page.status, bootOf(page.text).session]).toEqual([200, null]);
  const withoutSession = bootOf((await open(shopper(app), "/shop")).text);
  expect(withoutSession).toMatchObject({ session: { customerId: null }, feed: null, hub: null, cart: { items: [] } });
});

test("gift card and wagon pass: pages with prices, and frames", { tags: ["spec:9-24"] }, async () => {
  const browser = await guest();
  const pass = await open(browser, "/wagon-pass");
  expect([pass.status, pass.text.includes("<h1>Wagon pass</h1>")]).toEqual([200, true]);
  expect(pass.text).toContain('<link rel="canonical" href="http://localhost:80/wagon-pass">');
  expect(pass.text).toContain("$13.95 a month or $139.95 a year");
  const gift = await open(browser, "/gift-card");
  expect([gift.status, gift.text.includes("<h1>Gift cards</h1>")]).toEqual([200, true]);
  expect(gift.text).toContain('"lowPrice":"10.00","highPrice":"500.00"');
  for (const name of ["wagon-pass", "gift-cards", "payment"]) {
    const frame = await open(browser, `/embed/${name}`);
    expect([name, frame.status, frame.text.includes('<body class="frame">'), frame.text.includes("noindex")]).toEqual([
      name,
      200,
      true,
      true,
    ]);
  }
});

test("frames have their own entry point, hashed files are immutable, the build has an id", async () => {
  const frame = await open(await guest(), "/embed/checkout");
  expect(frame.text).toContain('<body class="frame">');
  const file = await app.inject({ url: "/assets/app-1.js" });
  expect([file.statusCode, file.headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
  expect(file.headers["content-security-policy"]).toBe("default-src 'self'; frame-ancestors 'none'");
  expect(file.headers["x-content-type-options"]).toBe("nosniff");
  const { build } = (await app.inject({ url: "/version.json" })).json<{ build: string }>();
  expect(bootOf((await open(await guest(), "/shop")).text).config.build).toBe(build);
});

test("files and pictures: served with an unknown session, whose cookie is not cleared", async () => {
  const urls = ["/assets/app-1.js", "/version.json", `/img/${"0".repeat(16)}/480.jpg`];
  for (const url of urls) {
    const answer = await app.inject({ url, headers: { cookie: "mkt_session=of-a-session-that-is-gone" } });
    expect([url, answer.statusCode]).toEqual([url, url.startsWith("/img/") ? 404 : 200]);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
  const response = await app.inject({ url: "/api/cart", headers: { cookie: "mkt_session=of-a-session-that-is-gone" } });
  expect(response.statusCode).toBe(401);
});

test("private columns: in no response and on no page", { tags: ["fail:G4"] }, async () => {
  const canary = "canary-7f3a";
  const customer = await createCustomer(db, { hubId: hub.id, firstName: "Robin", pepper: deps.env.pepper });
  const other = await createCustomer(db, {
    email: `${canary}@example.com`,
    hubId: hub.id,
    firstName: "Other",
    pepper: deps.env.pepper,
  });
  await db.customer.update({ where: { id: other.id }, data: { password_hash: canary, phone: canary, trk: canary } });
  await db.vendor.updateMany({ data: { email: `${canary}@vendor.example` } });
  await db.review.create({ data: { customer_id: other.id, product_id: turkey.id, rating_halves: 9, comment: "Good" } });
  const browser = shopper(app);
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  await browser.put("/cart", [turkey.line(1)]);
  const { hash } = await db.vendor.findFirstOrThrow();
  const calls = [
    "/auth",
    "/account/profile",
    "/hubs",
    `/hubs/${hub.id}/details`,
    "/feed",
    "/collections",
    `/products/${turkey.id}`,
    "/cart",
  ];
  for (const url of calls) {
    const { text, status } = await browser.get(url);
    expect([
      url,
      status,
      text.includes(canary),
      text.includes("password_hash"),
      text.includes("argon2"),
      text.includes(hash),
      text.includes("commission"),
    ]).toEqual([url, 200, false, false, false, false, false]);
  }
  for (const url of ["/shop", `/product/${turkey.slug}`]) expect((await open(browser, url)).text).not.toContain(canary);
});

test(
  "pages: /login redirects to the shop, which opens Login, and keeps the query",
  { tags: ["spec:2.1-03"] },
  async () => {
    for (const [address, to] of [
      ["/login", "/shop?login=1"],
      ["/login?utm_source=mail&next=%2F%2Fevil.test", "/shop?utm_source=mail&next=%2F%2Fevil.test&login=1"],
    ] as const) {
      const answer = await app.inject({ url: address, headers: { accept: "text/html" } });
      expect([answer.statusCode, answer.headers.location]).toEqual([302, to]);
    }
  },
);

test("a page that is the same for all guests has each guest's own data, in Brotli and plain, and follows a change", async () => {
  const compressed = async (browser: ReturnType<typeof shopper>, url: string) => {
    const headers = { accept: "text/html", cookie: browser.cookieHeader(), "accept-encoding": "br" };
    const answer = await app.inject({ url, headers });
    expect([url, answer.statusCode, answer.headers["content-encoding"]]).toEqual([url, 200, "br"]);
    return brotliDecompressSync(answer.rawPayload).toString();
  };
  const [one, other] = [await guest(), await guest()];
  await one.put("/cart", [eggs.line(1)]);
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: turkey.vendor_id } });
  const kinds = [`/vendors/${vendor.slug}`, `/collections/vendor/${vendor.slug}`, "/collections", `/hubs/${hub.id}`];
  for (const url of ["/shop", `/product/${turkey.slug}`, ...kinds, "/bundles", "/more", "/embed/checkout"])
    for (const browser of [one, other, one, shopper(app)])
      expect(await compressed(browser, url)).toBe((await open(browser, url)).text);
  expect(bootOf(await compressed(one, "/shop")).cart?.items).toHaveLength(1);
  expect(bootOf(await compressed(other, "/shop")).cart?.items).toHaveLength(0);
  expect(bootOf((await open(one, "/shop")).text).cart?.items).toHaveLength(1);
  expect(bootOf((await open(other, "/shop")).text).cart?.items).toHaveLength(0);
  await db.product.update({ where: { id: turkey.id }, data: { title: "Late Turkey" } });
  const titleOf = async () => bootOf(await compressed(other, `/product/${turkey.slug}`)).product?.product.title;
  await expect.poll(titleOf).toBe("Late Turkey");
  expect(bootOf((await open(other, `/product/${turkey.slug}`)).text).product?.product.title).toBe("Late Turkey");
  // Without a session the preloaded state has no feed: what changes is in the fallback alone.
  const visitor = shopper(app);
  for (const end of ["of rye", "of oats"]) {
    await db.vendor.update({ where: { id: vendor.id }, data: { description: `${"Acres ".repeat(40)}${end}` } });
    for (const read of [compressed, async (...of: Parameters<typeof open>) => (await open(...of)).text])
      await expect.poll(() => read(visitor, `/vendors/${vendor.slug}`)).toContain(`Acres ${end}</p>`);
  }
  await db.vendor.update({ where: { id: vendor.id }, data: { description: vendor.description } });
  await db.product.update({ where: { id: turkey.id }, data: { title: "Turkey" } });
});

test("product page: when the product cannot be read it is a server error, not a missing page", async () => {
  const { slug } = await createProduct(db, hub.id);
  await execute(db, sql`alter table product rename to product_away`);
  try {
    expect((await open(shopper(app), `/product/${slug}`)).status).toBe(500);
  } finally {
    await execute(db, sql`alter table product_away rename to product`);
  }
  expect((await open(shopper(app), `/product/${slug}`)).status).toBe(200);
});
