import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What fades in has faded in: half-way it is too faint to read, for a script as for an eye. */
const stillness = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((painted) => requestAnimationFrame(painted));
    for (;;) {
      await frame();
      await frame();
      const running = document.getAnimations().filter(({ playState }) => playState === "running");
      if (running.length === 0) return;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });

/**
 * All frames are of the market's origin, so "legacy mode" checks them too. It takes a quarter of the time: the results are not put
 * together in one more page, and nodes without violations are not described.
 */
async function findViolations(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  await stillness(page);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await choose(axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

/** No violation of WCAG 2.2 AA or a best practice, in the page or in a part of it (a selector), and no sideways scrolling. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  expect(await findViolations(page, (axe) => axe.include(part).withTags(tags))).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/** Enough contrast in the colors of now. */
export async function expectContrast(page: Page): Promise<void> {
  expect(await findViolations(page, (axe) => axe.withRules("color-contrast"))).toEqual([]);
}
