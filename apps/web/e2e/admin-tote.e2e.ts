import { beStaff, expect, newStaff, type Page, test, type TestMarket } from "./lib/admin.ts";
import { expectAccessible, expectContrast } from "./lib/axe.ts";

/** The number of an order on a closed day. */
async function orderOf(market: TestMarket): Promise<number> {
  const day = await market.ask("deliveryDay", {
    orders: [{ name: "Anna", quantity: 1 }],
    vendor: "Cluck & Co.",
    product: "Pasture Eggs",
    isClosed: true,
  });
  return day.orders[0]!;
}
const orderPanel = (page: Page) => page.getByRole("heading", { name: /^Anna .+$/ });

test("tote: a stranger who opens its code sees whose it is, and a way to the sign-in that has no shopper's data", async ({
  page,
  market,
}) => {
  const order = await orderOf(market);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/T/${order}`);
    // The page opens its address once more, in case the browser left out a cookie.
    await expect(page).toHaveURL(`/t/${order}?again`);
    await expect(page.getByRole("heading", { level: 1, name: /^A tote of .+$/ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await page.getByRole("link", { name: "For the staff: sign in and open the order" }).click();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await expect(page).toHaveURL(`/admin/orders/${order}`);
});

test("tote: an email address that is longer than a phone is wide breaks, and the page does not scroll sideways", async ({
  page,
  market,
}) => {
  const order = await orderOf(market);
  const email = `${"hello.".repeat(9)}market@${"growers-".repeat(6)}market.example`;
  await page.route(/\/t\/\d+/i, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/mailto:[^<]+(?=<)/, `mailto:${email}">${email}`);
    await route.fulfill({ response, body });
  });
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/t/${order}?again`);
    await expect(page.getByRole("link", { name: email, exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("tote: signed-in staff who open its code get the order, also from another site, which gets no cookie of theirs", async ({
  page,
  market,
}) => {
  const order = await orderOf(market);
  const { id } = await market.ask("staff", { ...newStaff(), role: "owner" });
  await beStaff(page, market, id);
  await page.goto(`/T/${order}`);
  await expect(page).toHaveURL(`/admin/orders/${order}`);
  await expect(orderPanel(page)).toBeVisible();

  const cookies: (string | undefined)[] = [];
  page.on("request", async (request) => {
    if (new URL(request.url()).pathname.toLowerCase().startsWith("/t/"))
      cookies.push((await request.allHeaders())["cookie"]);
  });
  await page.goto("about:blank");
  await page.setContent(`<a href="${market.address}/T/${order}">A code</a>`);
  await page.getByRole("link").click();
  await expect(page).toHaveURL(`/admin/orders/${order}`);
  await expect(orderPanel(page)).toBeVisible();
  await expect.poll(() => cookies.map((cookie) => cookie?.includes("mkt_staff") ?? false)).toEqual([false, true]);
});
