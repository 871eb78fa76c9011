import { expect, type Page } from "@playwright/test";

/** The shop's page that would be shown without a network; empty when there is none. */
export const keptPage = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const answer = await (await caches.open("marketday-page-1")).match("/shop");
    return answer ? answer.text() : "";
  });

/** Opens the shop and waits until its page is kept: the service worker starts when the browser has nothing else to do. */
export async function openAndKeep(page: Page): Promise<void> {
  await page.goto("/shop");
  await expect.poll(() => keptPage(page), { timeout: 180_000 }).toContain("data-kept");
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}
