import { TOAST_ADDED_MS, TOAST_LINK_COPIED_MS, TOAST_LOGIN_MS, TOAST_MS } from "@marketday/domain/limits";

import { expect, test } from "./lib/fixtures.ts";
import { beGuest } from "./lib/shopper.ts";
import { noteTimers, timerIsSet } from "./lib/timers.ts";

test(
  "a toast stays as long as the spec requires",
  { tag: ["@spec:9-19", "@spec:8-26", "@spec:8-23"] },
  async ({ page, context, market }) => {
    expect([TOAST_MS, TOAST_LINK_COPIED_MS, TOAST_ADDED_MS, TOAST_LOGIN_MS]).toEqual([1700, 1500, 1000, 600]);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { email } = await market.ask("customer", { firstName: "Robin" });
    const product = await market.ask("product", { title: "Toasted Oats", inventory: 9 });
    await beGuest(page, market);
    const dialog = page.getByRole("dialog").last();

    await page.goto(`/product/${product.slug}`);
    await expect(dialog.getByRole("button", { name: /^Add to Cart/ })).toBeVisible();
    await noteTimers(page);
    await dialog.getByRole("button", { name: /^Add to Cart/ }).click();
    await timerIsSet(page, TOAST_ADDED_MS);

    await dialog.getByRole("button", { name: /^Share/ }).click();
    await noteTimers(page);
    await dialog.getByRole("button", { name: "Copy Link" }).click();
    await timerIsSet(page, TOAST_LINK_COPIED_MS);

    await page.goto("/login");
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByLabel("Password", { exact: true }).fill(market.customer.password);
    await noteTimers(page);
    await page.keyboard.press("Enter");
    await timerIsSet(page, TOAST_LOGIN_MS);
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.goto("/profile");
    await dialog.getByLabel("Username").fill("robin-toasts");
    await noteTimers(page);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await timerIsSet(page, TOAST_MS);
  },
);

test(
  "toasts: the box is as high as its content, and has the rule for it that WebKit needs",
  { tag: ["@spec:9-19"] },
  async ({ page, context, market }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const product = await market.ask("product", { title: "Rye Crackers", inventory: 9 });
    await beGuest(page, market);
    await page.clock.install();
    await page.goto(`/product/${product.slug}`);
    const dialog = page.getByRole("dialog").last();
    const add = dialog.getByRole("button", { name: /^Add to Cart/ });
    await expect(add).toBeVisible();
    // The toast stays while the clock is paused.
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await add.click();
    const box = page.locator("[popover]:popover-open");
    await expect(box.getByText("Added to cart")).toBeVisible();
    const { height, rule } = await box.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      rule: String(element.computedStyleMap().get("height")),
    }));
    expect(height).toBeLessThan(100);
    // WebKit stretches a fixed grid of `fit-content`, a popover's own height, over the whole window.
    expect(rule).toBe("auto");
  },
);
