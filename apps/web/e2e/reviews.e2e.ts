import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, newPerson, register } from "./lib/shopper.ts";

test.describe("what people say", () => {
  test(
    "a review: half stars by keyboard, at most 250 characters, listed after posting",
    { tag: ["@spec:2.4-40", "@spec:2.4-50", "@spec:4-23", "@spec:5-17", "@spec:5-25"] },
    async ({ page, market }) => {
      const { slug } = await market.ask("product", { title: "Quince Paste" });
      const { email } = await market.ask("customer", { firstName: "Nora" });
      await beCustomer(page, market, { email, password: market.customer.password });
      await page.goto(`/product/${slug}`);
      const panel = page.getByRole("dialog");
      await panel.getByRole("tab", { name: "Reviews" }).click();
      await expect(panel.getByText("Be the first to review it")).toBeVisible();
      await panel.getByRole("button", { name: "Write a review" }).click();
      const rating = panel.getByRole("slider", { name: "Your rating" });
      const post = panel.getByRole("button", { name: "Post Review" });
      await expect(rating).toHaveValue("5");
      await expect(post).toHaveAttribute("aria-disabled", "true");
      await rating.focus();
      await page.keyboard.press("ArrowLeft");
      await expect(rating).toHaveAttribute("aria-valuetext", "4.5 out of 5 stars");
      await page.keyboard.press("Home");
      await expect(rating).toHaveValue("0");
      await page.keyboard.press("End");
      for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowLeft");
      await expect(rating).toHaveValue("3.5");

      const comment = panel.getByRole("textbox", { name: "How was it?" });
      await comment.fill("x".repeat(251));
      await expect(panel.getByText("1 character too many")).toBeVisible();
      await expect(post).toHaveAttribute("aria-disabled", "true");
      await comment.fill("Tart <b>and</b> good.");
      await expect(post).not.toHaveAttribute("aria-disabled");
      await post.click();
      const list = panel.getByRole("list", { name: "Reviews" });
      await expect(list.getByText("Tart <b>and</b> good.")).toBeVisible();
      await expect(list.getByRole("img", { name: "3.5 out of 5 stars" })).toBeVisible();
      // One rating of 3.5 is enough to be shown; one review is one review.
      await expect(panel.getByText("1 review", { exact: false }).first()).toBeVisible();
      await expect(panel.getByText("from 1 person")).toBeVisible();
    },
  );

  test(
    "a guest logs in and returns to the open form",
    { tag: ["@spec:5-17", "@spec:5-18"] },
    async ({ page, market }) => {
      const { slug } = await market.ask("product", { title: "Medlar Jelly" });
      await beGuest(page, market);
      await page.goto(`/product/${slug}`);
      await page.getByRole("tab", { name: "Q&A" }).click();
      await page.getByRole("button", { name: "Ask a question" }).click();
      const gate = page.getByRole("dialog").last();
      await expect(gate.getByRole("heading", { name: "Log in to ask a question" })).toBeVisible();
      await gate.getByRole("button", { name: "Sign Up" }).click();
      await register(gate, newPerson(), market.zip);
      await expect(page.getByRole("dialog")).toHaveCount(1);
      await expect(page.getByRole("textbox", { name: "Your question" })).toBeFocused();
      await expect(page).toHaveURL(new RegExp(`/product/${slug}$`));
    },
  );

  test(
    "a question: sent after a second, then confirmed; when it fails the text stays",
    { tag: ["@spec:2.4-50", "@spec:4-22", "@spec:5-18", "@spec:8-10"] },
    async ({ page, market }) => {
      const { slug } = await market.ask("product", { title: "Sloe Syrup" });
      const { email } = await market.ask("customer", {});
      await beCustomer(page, market, { email, password: market.customer.password });
      await page.goto(`/product/${slug}`);
      await page.getByRole("tab", { name: "Q&A" }).click();
      await expect(page.getByText("No questions yet")).toBeVisible();
      await page.getByRole("button", { name: "Ask a question" }).click();
      const question = page.getByRole("textbox", { name: "Your question" });
      const ask = page.getByRole("button", { name: "Ask", exact: true });
      await question.fill("x".repeat(401));
      await expect(ask).toHaveAttribute("aria-disabled", "true");
      await question.fill("Is there sugar in it?");
      await page.route("**/api/products/*/questions", (route) =>
        route.request().method() === "POST" ? route.fulfill({ status: 400, json: ["No."] }) : route.continue(),
      );
      await ask.click();
      await expect(page.getByText("Sending…")).toBeVisible();
      await expect(page.getByRole("dialog").getByRole("tabpanel").getByRole("alert")).toContainText(
        "There was an error submitting your question, please try again laster.",
      );
      await expect(question).toHaveValue("Is there sugar in it?");
      await page.unroute("**/api/products/*/questions");
      await ask.click();
      await expect(page.getByText("Your question is on its way")).toBeVisible();
      await expect(page.getByText("Waiting for an answer. Only you can see this.")).toBeVisible();
      await expectAccessible(page);
    },
  );
});

test(
  "a product not sold here names the hub that sells it, and similar products",
  { tag: ["@spec:2.4-41"] },
  async ({ page, shop }) => {
    const { slug } = await shop.ask("product", { title: "Lakeside Perch", far: true });
    await beGuest(page, shop);
    await page.goto(`/product/${slug}`);
    const panel = page.getByRole("dialog");
    await expect(panel.getByText("Lakeside market")).toBeVisible();
    const similar = panel.getByRole("list", { name: "Similar products" });
    await expect(similar.getByRole("link", { name: shop.products[0]!.title, exact: true })).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Add to Cart/ })).toHaveCount(0);
    await expectAccessible(page);
    await similar.getByRole("link", { name: shop.products[0]!.title, exact: true }).click();
    await expect(panel.last().getByRole("heading", { name: shop.products[0]!.title, exact: true })).toBeVisible();
  },
);
