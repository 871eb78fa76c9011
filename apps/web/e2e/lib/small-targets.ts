import type { Page } from "@playwright/test";

/**
 * Controls that are too small to tap: 44 px each way around the middle of a control, 24 px for a link on a separate line; a link in
 * running text is as high as its line. Hit-tested point by point, so that areas larger
 * than what is rendered count. What something else covers even in the middle of the screen is left to when it does not.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    for (const target of document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")) {
      const label = target.matches("input") ? target.closest("label") : null;
      const whole = label ?? target;
      const style = getComputedStyle(whole);
      if (target.matches("a") && style.display === "inline") continue;
      // From under the bars that stand over the page.
      whole.scrollIntoView({ block: "center", inline: "nearest" });
      const { x, y, width, height } = whole.getBoundingClientRect();
      const [middleX, middleY] = [x + width / 2, y + height / 2];
      const isHit = (atX: number, atY: number) => {
        const hit = document.elementFromPoint(atX, atY);
        return hit !== null && (whole.contains(hit) || hit.closest("label") === whole);
      };
      if (width <= 1 || !isHit(middleX, middleY)) continue;
      // A pixel is the browser's rounding.
      const reach = (target.matches("a") ? 24 : 44) / 2 - 1;
      const missed = [
        [middleX - reach, middleY],
        [middleX + reach, middleY],
        [middleX, middleY - reach],
        [middleX, middleY + reach],
      ].some(([atX, atY]) => {
        const inside = atX! >= 0 && atY! >= 0 && atX! < innerWidth && atY! < innerHeight;
        return inside && !isHit(atX!, atY!);
      });
      const name = target.getAttribute("aria-label") ?? target.textContent.trim().slice(0, 30);
      if (missed) found.add(`${target.tagName.toLowerCase()} “${name}” ${Math.round(width)} × ${Math.round(height)}`);
    }
    scrollTo(0, 0);
    return [...found];
  });
