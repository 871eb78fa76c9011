import { expectAccessible } from "./lib/axe.ts";
import { expect, type Page, test } from "./lib/fixtures.ts";
import { beGuest } from "./lib/shopper.ts";

/** A page's own frame inside the app. */
const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);

test.describe("the FAQ", () => {
  test(
    "the FAQ is searched, opens results, and offers the contact form when there are none",
    { tag: ["@spec:2.1-30", "@spec:2.4-66"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/faq");
      await expect(page.getByRole("heading", { level: 1, name: "Frequently asked questions" })).toBeVisible();
      const answers = page.getByRole("main").getByRole("group");
      await expect(answers).not.toHaveCount(0);
      const all = await answers.count();
      expect(all).toBeGreaterThan(10);
      const search = page.getByRole("searchbox", { name: "Search the answers" });
      await search.fill("shipping");
      await expect(answers).toHaveCount(1);
      await expect(page.getByText("A flat fee", { exact: false })).toBeVisible();
      await search.fill("submarine");
      await expect(page.getByText("No answer for that.")).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Ask us" }).click();
      await expect(page.getByRole("heading", { name: "Ask us" })).toBeInViewport();
      await search.fill("");
      await expect(answers).toHaveCount(all);
    },
  );

  test("every answer of the FAQ has an address", { tag: ["@spec:2.1-30"] }, async ({ page }) => {
    await page.goto("/faq#what-is-the-wagon-pass");
    const entry = page.getByRole("group").filter({ hasText: "What is the wagon pass?" });
    await expect(entry.getByText("Free home delivery for $13.95 a month")).toBeVisible();
    await expect(entry).toBeInViewport();
    await page.getByText("When do I have to order by?").click();
    const link = page.getByRole("link", { name: "Link to this answer" }).first();
    await link.click();
    await expect(page).toHaveURL(/\/faq#when-do-i-have-to-order-by$/);
    await page.reload();
    await expect(page.getByText("By 1AM on the day before your delivery", { exact: false })).toBeVisible();
    // The welcome overlay does not open over documents.
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test.describe("the blog", () => {
  test(
    "lists twelve posts a page, and opens one",
    { tag: ["@spec:2.1-28", "@spec:9-29", "@spec:2.4-69"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/blog");
      const cards = page.getByRole("main").getByRole("article");
      await expect(cards).toHaveCount(12);
      await expect(cards.first().getByText(/^.{100,199}…$/)).toBeVisible();
      await page.getByRole("navigation", { name: "Pages of posts" }).getByRole("link", { name: "Page 2" }).click();
      await expect(page).toHaveURL(/\/blog\?page=2$/);
      await expect(cards).toHaveCount(2);
      await page.reload();
      await expect(cards).toHaveCount(2);
      await cards.first().getByRole("link").click();
      await expect(page.getByRole("heading", { level: 1, name: "A story, No. 2" })).toBeVisible();
      await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(/\/blog\?page=2$/);
      await expect(cards).toHaveCount(2);
    },
  );

  test("an unknown post is the 404 page", { tag: ["@spec:2.1-32"] }, async ({ page, market }) => {
    await beGuest(page, market);
    const answer = await page.goto("/blog/no-such-post");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
    await page.goto("/shop");
    await page.getByRole("contentinfo").getByRole("link", { name: "Blog" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Blog" })).toBeVisible();
  });
});

test(
  "about has the mission, the team and the news, twelve a page",
  { tag: ["@spec:2.1-27"] },
  async ({ page, market }) => {
    await market.ask("news", { count: 0 });
    await beGuest(page, market);
    await page.goto("/about");
    await expect(page.getByRole("heading", { level: 1, name: "About Little Wagon" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Who we are" })).toBeVisible();
    const news = page.getByRole("region", { name: "News" });
    await expect(news.getByRole("article")).toHaveCount(1);
    await expect(news.getByRole("link", { name: "A second market" })).toBeVisible();
    await expect(news.getByRole("navigation", { name: "Pages of news" })).toHaveCount(0);

    await market.ask("news", { count: 12 });
    await page.reload();
    await expect(news.getByRole("article")).toHaveCount(12);
    await news.getByRole("link", { name: "Page 2" }).click();
    await expect(page).toHaveURL(/\/about\?page=2$/);
    await expect(news.getByRole("article")).toHaveCount(1);
    await expect(news.getByRole("link", { name: "News No. 1" })).toBeVisible();
    await page.goBack();
    await expect(news.getByRole("article")).toHaveCount(12);
  },
);

test(
  "help has its four cards: an application in a frame, and a mail link",
  { tag: ["@spec:2.1-29", "@spec:2.1-18"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/help");
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Media inquiry" })).toHaveAttribute("href", /^mailto:hello@/);
    await expect(main.getByRole("link", { name: "FAQ" })).toHaveAttribute("href", "/faq");
    const join = main.getByRole("link", { name: "Become a vendor" });
    await join.click();
    await expect(page).toHaveURL(/\/join$/);
    await expect(frameOf(page, "Become a vendor").getByRole("heading", { level: 1 })).toHaveText(
      "Sell at Little Wagon",
    );
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/help$/);
    await expect(join).toBeFocused();
    await page.goto("/join");
    await expect(frameOf(page, "Become a vendor").getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/shop$/);
  },
);

test(
  "terms and privacy open over Welcome, and before it by their address",
  { tag: ["@spec:2.4-05", "@spec:2.4-64"] },
  async ({ page }) => {
    await page.goto("/");
    const zip = page.getByLabel("Zip code");
    await zip.fill("4603");
    await page.getByRole("dialog").getByRole("link", { name: "Terms of Service" }).click();
    await expect(frameOf(page, "Terms of Service").getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
    await expectAccessible(page);
    await page.goBack();
    await expect(page.locator("iframe")).toHaveCount(0);
    // What was typed is still there.
    await expect(zip).toHaveValue("4603");

    await page.goto("/privacy");
    await expect(frameOf(page, "Privacy Policy").getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
    await expect(page.getByLabel("Zip code")).toHaveCount(0);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/shop$/);
    await expect(page.getByLabel("Zip code")).toBeVisible();
  },
);

test("a link in a frame opens in the shop around it", { tag: ["@spec:2.4-64"] }, async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/embed/faq");
  await page.getByText("Where do you deliver?").click();
  await page
    .getByRole("link", { name: "market’s page" })
    .or(page.getByRole("link", { name: "market's page" }))
    .last()
    .click();
  await expect(page).toHaveURL(/\/hubs$/);
});

test(
  "the contact form opens in its frame, and fits what the spec lists",
  { tag: ["@spec:2.4-64"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/help");
    await page.getByRole("main").getByRole("link", { name: "Contact us" }).click();
    await expect(page).toHaveURL(/\/contact-us$/);
    const frame = frameOf(page, "Contact us");
    await expect(frame.getByRole("heading", { level: 1, name: "Contact us" })).toBeVisible();
    await expect(frame.getByLabel("Message")).toBeVisible();
    await expect(frame.getByRole("button", { name: "Send message" })).toHaveAttribute("aria-disabled", "true");
    await page.goBack();
    await expect(page).toHaveURL(/\/help$/);
  },
);
