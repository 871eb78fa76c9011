import { expect, type Page, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest } from "./lib/shopper.ts";

const menuOf = (page: Page) => page.getByRole("main").getByRole("listitem").getByRole("button");
/** The rows' words; the market's row says its name too. */
const labels = async (page: Page) => (await menuOf(page).allInnerTexts()).map((text) => text.split("\n")[0] ?? "");

/** Rows of spec §2.3, in its order. */
const forAll = ["Your market", "Bundles", "Browse vendors", "Wagon pass", "Gift cards", "Help"];
const words = ["Become a vendor", "FAQ", "Terms", "Privacy", "About", "Blog"];

test.describe("the footer", () => {
  test(
    "the footer has the links of the spec, on a desktop only",
    { tag: ["@spec:2.3-03", "@spec:1-06"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/shop");
      const footer = page.getByRole("contentinfo");
      const links = footer.getByRole("navigation").getByRole("link");
      await expect(links).toHaveText([
        "Vendor application",
        "Driver application",
        "Job listings",
        "About",
        "Blog",
        "Gift cards",
        "Wagon pass",
        "Help",
        "FAQ",
        "Terms",
        "Privacy",
      ]);
      await expect(footer.getByText(/^© \d{4} Little Wagon$/)).toBeVisible();
      const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      for (const href of hrefs) expect([href, (await page.request.get(href)).status()]).toEqual([href, 200]);
      await footer.getByRole("link", { name: "Job listings" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Work with us" })).toBeVisible();
      await footer.getByRole("link", { name: "Driver application" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Drive for Little Wagon" })).toBeVisible();
      await footer.getByRole("link", { name: "Terms" }).click();
      await expect(
        page.frameLocator('iframe[title="Terms of Service"]').getByRole("heading", { level: 1 }),
      ).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(/\/driver-application$/);
      await page.setViewportSize({ width: 800, height: 900 });
      await expect(footer).toHaveCount(0);
    },
  );
});

test.describe("More", () => {
  test(
    "More has a guest's rows and the market's texts",
    {
      tag: [
        "@spec:2.1-13",
        "@spec:2.3-06",
        "@spec:2.3-07",
        "@spec:2.3-16",
        "@spec:2.3-19",
        "@spec:2.3-20",
        "@spec:2.3-21",
        "@spec:2.3-22",
        "@spec:2.3-23",
        "@spec:2.3-24",
      ],
    },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/more");
      await expect(page.getByRole("heading", { level: 1, name: "More" })).toBeVisible();
      await expect.poll(async () => (await labels(page)).filter((label) => forAll.includes(label))).toEqual(forAll);
      const shown = await labels(page);
      expect(shown.slice(-words.length)).toEqual(words);
      expect(shown[0]).toBe("Login or register");
      for (const own of ["Logout", "My orders", "Refer friends", "Inbox"]) expect(shown).not.toContain(own);

      const leads: [row: string, url: RegExp][] = [
        ["Help", /\/help$/],
        ["Become a vendor", /\/join$/],
        ["FAQ", /\/faq$/],
        ["Terms", /\/terms$/],
        ["Privacy", /\/privacy$/],
        ["About", /\/about$/],
        ["Blog", /\/blog$/],
      ];
      for (const [row, url] of leads) {
        await menuOf(page).filter({ hasText: row }).first().click();
        await expect(page).toHaveURL(url);
        await page.goBack();
        await expect(page).toHaveURL(/\/more$/);
      }
    },
  );

  test(
    "More has a customer's rows, and logout asks for confirmation",
    { tag: ["@spec:2.3-07", "@spec:2.3-12", "@spec:2.3-17", "@spec:2.3-18", "@spec:4-05"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", { firstName: "Robin" });
      await beCustomer(page, market, { email, password: market.customer.password });
      await page.goto("/more");
      await expect(menuOf(page).filter({ hasText: "My orders" })).toBeVisible();
      for (const row of [...forAll, ...words, "Refer friends", "My orders", "Logout"])
        await expect.poll(() => labels(page)).toContain(row);
      const shown = await labels(page);
      expect(shown).not.toContain("Login or register");
      await menuOf(page).filter({ hasText: "Logout" }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByText("Are you sure you want to logout?")).toBeVisible();
      await dialog.getByRole("button", { name: "Logout" }).click();
      await page.waitForURL(/\/shop$/);
      const session = (await (await page.request.get(`${market.address}/api/auth`)).json()) as {
        isGuest: boolean | null;
      };
      expect(session.isGuest).not.toBe(false);
    },
  );
});

test(
  "the side panel has the spec's tabs, the tab bar its entries",
  { tag: ["@spec:2.1-04", "@spec:2.3-01", "@spec:2.3-02"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/shop");
    const tabs = page.getByRole("complementary").getByRole("tab");
    await expect(tabs).toHaveText([/^Cart/, "Gift Cards", "Quick Shop", "More"]);
    for (const name of [/^Cart/, "Gift Cards", "Quick Shop", "More"]) {
      await tabs.filter({ hasText: name }).click();
      await expect(page.getByRole("complementary").getByRole("tabpanel", { name, exact: true })).toBeVisible();
      await expect(page).toHaveURL(/\/shop$/);
    }
    await expect(page.getByRole("complementary").getByRole("button", { name: "Become a vendor" })).toBeVisible();
    // Beside a short page it hangs as high as beside a long one.
    const top = async () => (await page.getByRole("complementary").boundingBox())?.y;
    const long = await top();
    await page.goto("/search?q=unicorns");
    await expect(page.getByRole("heading", { name: "Found 0 results" })).toBeVisible();
    expect(await top()).toBe(long);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(page.getByRole("navigation", { name: "Main" }).locator("a, button")).toHaveText([
      "Shop",
      "Quick Shop",
      /^Cart/,
      "Gift Cards",
      "More",
    ]);
  },
);

test(
  "every route of the spec responds, and any other is /404 with its status",
  { tag: ["@spec:2.1-32"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    const pages = [
      "/shop",
      "/collections",
      "/vendors",
      "/favorites",
      "/more",
      "/bundles",
      "/hubs",
      "/search",
      "/about",
    ];
    const overlays = ["/gift-card", "/wagon-pass", "/join", "/terms", "/privacy"];
    for (const path of [...pages, "/blog", "/help", "/faq", "/jobs", "/driver-application", ...overlays])
      expect([
        path,
        (await page.request.get(market.address + path, { headers: { accept: "text/html" } })).status(),
      ]).toEqual([path, 200]);
    for (const path of ["/404", "/aboutt", "/blog/x/y", "/terms/more", "/.git/config", "/wp-login.php"])
      expect([
        path,
        (await page.request.get(market.address + path, { headers: { accept: "text/html" } })).status(),
      ]).toEqual([path, 404]);
    await page.goto("/no-such-page");
    await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Back to the market" })).toHaveAttribute(
      "href",
      "/shop",
    );
    await page.getByRole("main").getByRole("link", { name: "Ask us for help" }).click();
    await expect(page.getByRole("heading", { name: "Ask us" })).toBeVisible();
  },
);

test("a page loaded by its address starts at the top; reload and Back restore the scroll position", async ({
  page,
  shop,
}) => {
  await beGuest(page, shop);
  // Null while the page is being left for another one.
  const y = () => page.evaluate(() => scrollY).catch(() => null);
  const scrollDown = async () => {
    await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    await page.evaluate(() => scrollTo(0, 500));
    await expect.poll(y).toBe(500);
  };
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/shop");
  await scrollDown();
  for (const address of ["/vendors", "/faq", "/search?q=tomatoes", "/shop"]) {
    await page.goto(address);
    await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect([address, await y()]).toEqual([address, 0]);
  }
  await scrollDown();
  await page.reload();
  await expect.poll(y).toBe(500);
  await page.goto("/vendors");
  await page.goBack();
  await expect.poll(y).toBe(500);
});
