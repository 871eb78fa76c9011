import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, newPerson, register } from "./lib/shopper.ts";

const passwordOf = (market: { customer: { password: string } }) => market.customer.password;

test.describe("favorites", () => {
  test(
    "a guest's heart needs an account; after signing up it is set",
    { tag: ["@spec:4-21", "@spec:5-24", "@spec:8-11"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/search?q=wildflower honey");
      const heart = page.getByRole("main").getByRole("button", { name: "Favorite Wildflower Honey, 1 lb" }).first();
      await heart.click();
      const gate = page.getByRole("dialog");
      await expect(gate.getByRole("heading", { name: "Favorites requires the creation of an account." })).toBeVisible();
      await gate.getByRole("button", { name: "Close" }).last().click();
      await expect(gate).toHaveCount(0);
      await expect(heart).toBeFocused();
      await expect(heart).toHaveAttribute("aria-pressed", "false");

      await heart.click();
      await gate.getByRole("button", { name: "Sign Up" }).click();
      await expect(gate.getByRole("heading", { name: "Create your free account" })).toBeVisible();
      // Shown before it has arrived: the reload comes after.
      const given = page.waitForResponse((answer) => answer.url().endsWith("/favorite"));
      await register(gate, newPerson(), market.zip);
      await expect(gate).toHaveCount(0);
      expect((await given).status()).toBe(200);
      await expect(heart).toHaveAttribute("aria-pressed", "true");
      await page.reload();
      await expect(heart).toHaveAttribute("aria-pressed", "true");
    },
  );

  test(
    "a customer's heart shows at once, and rolls back when the server refuses",
    { tag: ["@spec:4-21"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", {});
      await beCustomer(page, market, { email, password: passwordOf(market) });
      await page.goto("/search?q=butter lettuce");
      const heart = page
        .getByRole("main")
        .getByRole("button", { name: /^Favorite Butter Lettuce/ })
        .first();
      let answer = () => {};
      const held = new Promise<void>((done) => (answer = done));
      await page.route("**/api/products/*/favorite", async (route) => {
        await held;
        await route.fulfill({ status: 409, json: ["Not now."] });
      });
      await heart.click();
      await expect(heart).toHaveAttribute("aria-pressed", "true");
      answer();
      await expect(heart).toHaveAttribute("aria-pressed", "false");
      await expect(page.getByText("Not now.").first()).toBeVisible();
      await page.unroute("**/api/products/*/favorite");
      const given = page.waitForResponse((one) => one.url().endsWith("/favorite"));
      await heart.click();
      expect((await given).status()).toBe(200);
      await expect(heart).toHaveAttribute("aria-pressed", "true");
      // The panel and Quick Shop know it as well.
      await page.getByRole("tab", { name: "Quick Shop" }).click();
      await expect(page.getByRole("tabpanel").getByRole("link", { name: "Butter Lettuce" })).toBeVisible();
    },
  );

  test(
    "Quick Shop: a guest is offered an account or Back, a customer fills the cart from it",
    { tag: ["@spec:2.1-12", "@spec:6-07"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("tab", { name: "More" }).click();
      await page.getByRole("tabpanel").getByRole("button", { name: "Quick Shop" }).click();
      const main = page.getByRole("main");
      await expect(main.getByRole("heading", { level: 1, name: "Quick Shop" })).toBeVisible();
      await expect(main.getByRole("button", { name: "Registration" })).toBeVisible();
      await main.getByRole("button", { name: "Go Back" }).click();
      await expect(page).toHaveURL(/\/shop$/);

      // Nothing of the guest's is on its way any more.
      await page.goto("about:blank");
      const { email } = await market.ask("customer", {});
      await beCustomer(page, market, { email, password: passwordOf(market) });
      await page.goto("/favorites");
      await expect(main.getByText("Your favorites will show up here")).toBeVisible();
      for (const title of ["Golden Tomatoes", "Sweet Corn, Six Ears", "Blueberries"]) {
        const { id } = market.products.find((one) => one.title === title)!;
        const answer = await page.request.post(`${market.address}/api/products/${id}/favorite`, {
          headers: { origin: market.address },
        });
        expect(answer.ok()).toBe(true);
      }
      await page.reload();
      await expect(main.getByRole("link", { name: "Blueberries" })).toBeVisible();
      await expectAccessible(page);
      // What is sold out is not put into the cart.
      await main.getByRole("button", { name: "Add all 2" }).click();
      await expect(page.getByRole("tab", { name: "Cart · 2" })).toBeVisible();
      await expect(main.getByRole("button", { name: /^Add all/ })).toHaveCount(0);
      await main.getByRole("button", { name: /^Add one Golden Tomatoes/ }).click();
      await expect(page.getByRole("tab", { name: "Cart · 3" })).toBeVisible();
    },
  );
});
