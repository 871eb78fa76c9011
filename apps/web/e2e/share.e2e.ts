import { expect, test } from "./lib/fixtures.ts";
import { beGuest } from "./lib/shopper.ts";

test.describe("sharing", () => {
  test(
    "six rows, and Copy Link copies it",
    { tag: ["@spec:2.4-61", "@spec:8-26"] },
    async ({ page, context, market }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await context.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined }));
      await beGuest(page, market);
      const { slug, title } = market.products[5]!;
      await page.goto(`/product/${slug}`);
      const share = page.getByRole("button", { name: `Share ${title}`, exact: true });
      await share.click();
      const sheet = page.getByRole("dialog").last();
      await expect(sheet.getByRole("heading", { name: `Share ${title}`, exact: true })).toBeVisible();
      await expect(sheet.getByRole("listitem")).toHaveText([
        /Facebook/,
        /Twitter/,
        /LinkedIn/,
        /Pinterest/,
        /Copy Link/,
      ]);
      await sheet.getByRole("button", { name: "Cancel" }).click();
      await expect(share).toBeFocused();
      await share.click();
      await sheet.getByRole("button", { name: "Copy Link" }).click();
      await expect(page.getByText("Link Copied").first()).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${market.address}/product/${slug}`);
      await expect(page.getByRole("dialog")).toHaveCount(1);
    },
  );

  test("share: the device's own sheet comes first", { tag: ["@spec:2.4-61"] }, async ({ page, context, market }) => {
    await context.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(globalThis, { shared });
      Object.defineProperty(navigator, "share", { value: (data: unknown) => Promise.resolve(shared.push(data)) });
    });
    await beGuest(page, market);
    const { slug, title } = market.products[5]!;
    await page.goto(`/product/${slug}`);
    await page.getByRole("button", { name: `Share ${title}`, exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared))
      .toEqual([{ title, url: `${market.address}/product/${slug}` }]);
    await expect(page.getByRole("dialog")).toHaveCount(1);
  });
});
