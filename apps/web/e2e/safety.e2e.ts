import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, type TestMarket, test } from "./lib/fixtures.ts";
import { beNewCustomer, placeByApi } from "./lib/orders.ts";
import { beCustomer, beGuest, checkoutFrame, putInCart } from "./lib/shopper.ts";

/** A foreign site: another port is another origin. Serves one page of HTML. */
async function otherSite(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

const cartOf = async (page: import("./lib/fixtures.ts").Page, market: TestMarket) =>
  (await (await page.request.get(`${market.address}/api/cart`)).json()) as { items: unknown[] };

test(
  "a foreign page cannot act with our cookies",
  { tag: ["@fail:H4"] },
  async ({ page, context, market, pageErrors }) => {
    const { email } = await market.ask("customer", { address: true });
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [market.products[3]!]);
    const line = JSON.stringify([
      { productId: market.products[4]!.id, variantId: market.products[4]!.variantId, quantity: 3 },
    ]);
    const site = await otherSite("<!doctype html><title>evil</title><p>Win a cow</p>");
    const evil = await context.newPage();
    await evil.goto(site.url);
    const tries = await evil.evaluate(
      async ({ address, line, hub, product }) => {
        const attempts: [string, RequestInit][] = [
          ["/api/cart", { method: "POST", headers: { "content-type": "text/plain" }, body: line }],
          ["/api/cart", { method: "PUT", headers: { "content-type": "application/json" }, body: line }],
          ["/api/auth/logout", { method: "PUT" }],
          [`/api/hubs/${hub}/switch`, { method: "POST" }],
          ["/api/checkout", { method: "POST" }],
          [`/api/products/${product}/favorite`, { method: "POST" }],
          [`/api/bundles/${product}`, { method: "POST" }],
          [`/api/vendors/${product}/favorite`, { method: "POST" }],
        ];
        const ends: string[] = [];
        for (const [path, init] of attempts)
          ends.push(
            await fetch(address + path, { ...init, credentials: "include" }).then(
              (answer) => String(answer.status),
              () => "blocked",
            ),
          );
        // What needs no permission to be sent at all.
        for (const [path, init] of attempts.filter(([, { method }]) => method === "POST"))
          await fetch(address + path, { ...init, mode: "no-cors", credentials: "include" }).catch(() => null);
        return ends;
      },
      { address: market.address, line, hub: market.farHub.id, product: market.products[4]!.id },
    );
    expect(tries.every((end) => end === "blocked" || end === "403")).toBe(true);

    // A picture is loaded with the cookies, and changes nothing.
    await evil.evaluate(
      (addresses) =>
        Promise.all(
          addresses.map(
            (src) =>
              new Promise((done) => {
                const image = new Image();
                image.addEventListener("load", done);
                image.addEventListener("error", done);
                image.src = src;
              }),
          ),
        ),
      [`hubs/${market.farHub.id}/switch`, "auth/logout", `products/${market.products[4]!.id}/favorite`, "cart"].map(
        (path) => `${market.address}/api/${path}`,
      ),
    );

    // A form that sends itself: the browser goes along, the server does not.
    await evil.setContent(
      `<form method="post" action="${market.address}/api/hubs/${market.farHub.id}/switch"><button>Win</button></form>`,
    );
    const [answer] = await Promise.all([
      evil.waitForResponse(/switch$/),
      evil.getByRole("button", { name: "Win" }).click(),
    ]);
    expect(answer.status()).toBe(403);

    expect((await cartOf(page, market)).items).toHaveLength(1);
    const session = (await (await page.request.get(`${market.address}/api/auth`)).json()) as {
      hubId: number;
      isGuest: boolean;
    };
    expect(session).toMatchObject({ hubId: market.hub.id, isGuest: false });
    const favorites = await (await page.request.get(`${market.address}/api/favorites/products`)).text();
    expect(favorites).not.toContain(market.products[4]!.title);
    site.server.close();
    // The evil page's own traffic and its blocked form are this test's, not the market's.
    pageErrors.foreign.length = 0;
    pageErrors.violations.length = 0;
  },
);

test(
  "no other site may frame the market; the market frames its checkout",
  { tag: ["@fail:H6"] },
  async ({ page, context, market, pageErrors }) => {
    await beGuest(page, market);
    await putInCart(page, market, [market.products[3]!]);
    const site = await otherSite(
      `<!doctype html><title>evil</title>${["/shop", "/embed/checkout", "/more"].map((path) => `<iframe src="${market.address}${path}"></iframe>`).join("")}`,
    );
    const evil = await context.newPage();
    const refused: string[] = [];
    evil.on("console", (message) => {
      if (message.text().includes("frame-ancestors")) refused.push(message.text());
    });
    await evil.goto(site.url);
    await expect.poll(() => refused.length).toBe(3);
    for (const frame of evil.frames().slice(1)) expect(await frame.locator("#root").count()).toBe(0);
    site.server.close();
    pageErrors.foreign.length = 0;

    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    await expect(checkoutFrame(page).getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
  },
);

test(
  "messages of other origins and windows are ignored",
  { tag: ["@fail:H9", "@fail:H10"] },
  async ({ page, context, market, pageErrors }) => {
    await beGuest(page, market);
    await putInCart(page, market, [market.products[3]!]);
    const site = await otherSite("<!doctype html><title>evil</title>");
    const evil = await context.newPage();
    await evil.goto(site.url);
    const [shop] = await Promise.all([
      context.waitForEvent("page"),
      evil.evaluate(
        (address) => void ((window as { shop?: Window | null }).shop = open(`${address}/shop`)),
        market.address,
      ),
    ]);
    // The shop loads everything from its own origin.
    await shop.waitForLoadState("networkidle");
    await shop.getByRole("button", { name: "Checkout" }).click();
    await expect(checkoutFrame(shop).getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
    const requests: string[] = [];
    // Code that is fetched ahead when the line is idle is no answer to anybody, nor is what the frame still opens with.
    shop.on("request", (request) => {
      const isOfShop = !request.isNavigationRequest() && request.frame() === shop.mainFrame();
      if (isOfShop && !new URL(request.url()).pathname.startsWith("/assets/")) requests.push(request.url());
    });

    const words = [42, "42", "customer-logged-in", "close-with-refresh", "close-without-refresh", {}, "1e3", -1];
    await evil.evaluate((words) => {
      for (const word of words) (window as { shop?: Window | null }).shop?.postMessage(word, "*");
    }, words);
    // Our own origin, but another frame's window.
    await shop.evaluate(() => void (document.body.appendChild(document.createElement("iframe")).id = "stranger"));
    const stranger = shop
      .frames()
      .find((frame) => frame.parentFrame() === shop.mainFrame() && !frame.url().includes("/embed/"));
    await stranger!.evaluate((words) => {
      for (const word of words) parent.postMessage(word, "*");
    }, words);
    await shop.evaluate(() => document.getElementById("stranger")?.remove());
    await expect(checkoutFrame(shop).getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
    await expect(shop).toHaveURL(/\/shop$/);
    expect(requests).toEqual([]);

    // Messages of the frame itself are accepted.
    await checkoutFrame(shop).getByRole("button", { name: "Close checkout" }).click();
    await expect(shop.locator("iframe")).toHaveCount(0);
    site.server.close();
    pageErrors.foreign.length = 0;
  },
);

test("the session's cookie cannot be read by a script", { tag: ["@fail:F4"] }, async ({ page, context, market }) => {
  await beCustomer(page, market, market.customer);
  await page.goto("/shop");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const session = (await context.cookies()).find(({ name }) => name.endsWith("mkt_session"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await page.evaluate(() => document.cookie)).not.toContain("mkt_session");
});

test(
  "another person's order and an unknown order are the 404 page",
  { tag: ["@fail:H12", "@spec:2.1-32"] },
  async ({ page, market }) => {
    const figs = await market.ask("product", { title: "Other Figs", inventory: 5 });
    await beNewCustomer(page, market);
    const theirs = await placeByApi(page, market, [figs]);
    await page.goto(`/order-complete/${theirs}`);
    await expect(page.getByRole("heading", { level: 1, name: "Your order is in" })).toBeVisible();
    // A look at the session that this page has sent with the old cookie would end the new session when its answer comes later.
    await page.goto("about:blank");
    await beCustomer(page, market, market.customer);
    for (const id of [String(theirs), "123456789", "0", "abc", "99999999999999999999"]) {
      await page.goto(`/order-complete/${id}`);
      await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
    }
  },
);

test("an order needs a login", { tag: ["@spec:6-01"] }, async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/order-complete/123456789");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Login" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Login to see order #123456789")).toBeVisible();
});
