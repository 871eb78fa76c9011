import { expect, type Page, test } from "./lib/fixtures.ts";
import { keptPage as kept } from "./lib/kept-page.ts";
import { alertIn, beGuest, newPerson, putInCart } from "./lib/shopper.ts";

test.use({ serviceWorkers: "allow" });

/** A worker starts when the browser has nothing else to do, and a kept page requests the server's each minute or so. */
const PATIENTLY = { timeout: 180_000 };

/** The items in the cart of that page. */
const keptCart = async (page: Page) => {
  const own = /<script type="application\/json" id="own">(.*?)<\/script>/s.exec(await kept(page))?.[1];
  const { cart } = JSON.parse(own ?? "{}") as { cart?: { items: { product: { title: string } }[] } };
  return (cart?.items ?? []).map(({ product }) => product.title).toSorted();
};

test("an unreachable market is shown from the cache, with feed and cart, and recovers automatically", async ({
  page,
  shop,
}) => {
  const apples = await shop.ask("product", { title: "Cellar Apples", inventory: 40 });
  const pears = await shop.ask("product", { title: "Cellar Pears", inventory: 40 });
  await beGuest(page, shop);
  await putInCart(page, shop, [apples]);
  await page.goto("/shop");
  await expect.poll(() => keptCart(page), PATIENTLY).toEqual(["Cellar Apples"]);
  // What is added later is in the page that is kept, too.
  await page.goto(`/product/${pears.slug}`);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Add to Cart/ })
    .click();
  await expect.poll(() => keptCart(page), PATIENTLY).toEqual(["Cellar Apples", "Cellar Pears"]);
  await page.goto("/shop");
  const tile = page.getByRole("main").getByRole("article").first().getByRole("heading").first();
  const first = await tile.innerText();

  await shop.ask("stopServer");
  try {
    await page.reload();
    await expect(
      page.getByText(/^We can’t reach the market right now\. This is the market as it was on /),
    ).toBeVisible();
    await expect(tile).toHaveText(first);
    const cart = page.getByRole("complementary");
    await expect(cart.getByText("Cellar Apples")).toBeVisible();
    await expect(cart.getByText("Cellar Pears")).toBeVisible();
    // Code that was never fetched before is cached or shows an error; the page stays.
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQ" }).click();
    await expect(page).toHaveURL(/\/faq$/);
    await page.goBack();
    await expect(tile).toHaveText(first);
    // Changes are kept, and the page says so.
    await cart
      .getByRole("group", { name: "Quantity of Cellar Apples" })
      .getByRole("button", { name: /^Add one/ })
      .click();
    await expect(cart.getByRole("group", { name: "Quantity of Cellar Apples" }).getByRole("status")).toHaveText("2");
  } finally {
    await shop.ask("startServer");
  }
  await expect(page.getByText(/^We can’t reach the market/)).toHaveCount(0, PATIENTLY);
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${shop.address}/api/cart`);
      const { items } = (await answer.json()) as { items: { quantity: number; product: { title: string } }[] };
      return Object.fromEntries(items.map(({ quantity, product }) => [product.title, quantity]));
    })
    .toEqual({ "Cellar Apples": 2, "Cellar Pears": 1 });
});

test(
  "a request that fails offline says so, and typed text stays",
  { tag: ["@spec:8-01"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/login");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(newPerson().email);
    await dialog.getByLabel("Password", { exact: true }).fill("blue-wheelbarrow-7");
    await market.ask("stopServer");
    try {
      await page.keyboard.press("Enter");
      await expect(alertIn(dialog)).toContainText("We couldn't reach the market.");
      await expect(dialog.getByLabel("Password", { exact: true })).toHaveValue("blue-wheelbarrow-7");
    } finally {
      await market.ask("startServer");
    }
  },
);

test(
  "a cached page of one person is deleted when another one logs in",
  { tag: ["@fail:G9"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", { firstName: "Quentin" });
    await beGuest(page, market);
    await page.goto("/shop");
    await expect.poll(() => kept(page), PATIENTLY).toContain("data-kept");
    await page.evaluate(
      async ([username, password]) => {
        const body = JSON.stringify({ username, password });
        await fetch("/api/auth/login", { method: "POST", headers: { "content-type": "application/json" }, body });
      },
      [email, market.customer.password],
    );
    // The page of the new session is kept without another load, and is gone when that session has ended.
    await expect.poll(() => kept(page), PATIENTLY).toContain("Quentin");
    await page.evaluate(() => fetch("/api/auth/logout", { method: "PUT" }).then(() => null));
    expect(await kept(page)).not.toContain("Quentin");
    // Calls, pictures and frames are never kept.
    const names = await page.evaluate(async () =>
      (await (await caches.open("marketday-code-1")).keys()).map(({ url }) => url),
    );
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(new URL(name).pathname).toMatch(/^\/assets\//);
  },
);
