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

const summarize = (violations: Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"]): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);

/** No violation of WCAG 2.2 AA or a best practice, and no sideways scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  await stillness(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(summarize(violations)).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/** Enough contrast in the colors of now; half the time of all rules. */
export async function expectContrast(page: Page): Promise<void> {
  await stillness(page);
  const { violations } = await new AxeBuilder({ page }).withRules("color-contrast").analyze();
  expect(summarize(violations)).toEqual([]);
}
