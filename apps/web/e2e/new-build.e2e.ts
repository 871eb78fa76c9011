import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, checkoutFrame, putInCart } from "./lib/shopper.ts";
import { buildIsRead, openWithHeartbeat } from "./lib/timers.ts";

test(
  "a new build never reloads the page under an open checkout, but after it",
  { tag: ["@fail:H14", "@spec:4-07"] },
  async ({ page, market }) => {
    const { email } = await market.ask("customer", { address: true });
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [market.products[8]!]);
    await page.clock.install();
    let build = "";
    await page.route("**/version.json", (route) => (build ? route.fulfill({ json: { build } }) : route.continue()));
    await openWithHeartbeat(page, "/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    await frame.getByLabel("Card number").fill("4242424242424242");
    await page.evaluate(() => ((window as { marked?: boolean }).marked = true));

    build = "another";
    const polled = page.waitForResponse(/version\.json/);
    await page.clock.fastForward("03:30");
    await (await polled).finished();
    await buildIsRead(page);
    await expect(frame.getByLabel("Card number")).toHaveValue("4242 4242 4242 4242");
    expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);

    const reloaded = page.waitForEvent("load");
    await frame.getByRole("button", { name: "Close checkout" }).click();
    await reloaded;
    await expect(page.locator("iframe")).toHaveCount(0);
    expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBeUndefined();
  },
);
