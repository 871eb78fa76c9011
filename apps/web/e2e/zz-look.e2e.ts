import { test, expect } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, placeByApi } from "./lib/orders.ts";
import { putInCart } from "./lib/shopper.ts";

test("look", async ({ page, shop }) => {
  test.setTimeout(600_000);
  const dir = "/tmp/h/dates-look";
  const eggs = await shop.ask("product", { title: "Look Eggs", priceCents: 700, inventory: 90 });
  await beNewCustomer(page, shop);
  const first = await placeByApi(page, shop, [{ ...eggs, quantity: 2 }]);
  await shop.ask("cutoffIn", { hubId: shop.hub.id, seconds: -1 });
  await askApi(page, shop, "PUT", "/subscriptions/status", { enabled: true, status: 1 });
  await putInCart(page, shop, [{ ...eggs, quantity: 1 }]);
  const second = await placeByApi(page, shop, [{ ...eggs, quantity: 3 }]);
  await putInCart(page, shop, [{ ...eggs, quantity: 1 }]);
  await page.clock.install();
  const shot = async (name: string) => {
    for (const [width, height, scheme] of [[360, 780, "light"], [1280, 860, "dark"]] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await page.clock.runFor(800);
      await page.screenshot({ path: `${dir}/${name}-${width}-${scheme}.png` });
    }
  };
  await page.goto("/shop");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await shot("shop");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.screenshot({ path: `${dir}/shop-320.png` });
  await page.goto("/cart"); await page.waitForTimeout(1500);
  await shot("cart");
  await page.goto("/my-orders").catch(() => {}); 
  await page.goto("/more");
  await page.getByRole("button", { name: /orders/i }).or(page.getByRole("link", { name: /orders/i })).first().click();
  await expect(page.getByRole("dialog").getByText(/^You can change it/)).toBeVisible();
  await shot("orders");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.screenshot({ path: `${dir}/orders-320.png` });
  await page.getByRole("dialog").getByRole("button", { name: new RegExp(`#${second}`) }).click();
  await expect(page.getByRole("heading", { name: `Order #${second}`, exact: true })).toBeVisible();
  await shot("order");
  await page.goto("/next-boxes"); await page.waitForTimeout(2000);
  await shot("next");
  await page.goto(`/order-complete/${first}`);
  await expect(page.getByRole("region", { name: "Receipt" })).toBeVisible();
  await shot("complete");
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.clock.runFor(30_000);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Send" })).toBeVisible();
  await shot("survey");
  for (const [w, h] of [[360, 480], [768, 500], [1600, 900]] as const) {
    await page.setViewportSize({ width: w, height: h });
    await page.clock.runFor(500);
    await page.screenshot({ path: `${dir}/survey-${w}x${h}.png` });
  }
});
