import { expect, type Locator, type Page } from "@playwright/test";

/** More presses than any of our screens should take. */
const MOST = 80;

/** Whether an element has the keyboard, also inside a frame. */
const hasKeyboard = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.ownerDocument.activeElement === node && node.ownerDocument.hasFocus());

/** Presses Tab until an element has the focus, and expects that to be seen. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  for (let presses = 0; presses < MOST; presses += 1) {
    if (await hasKeyboard(element)) {
      // A native radio lies under its drawn row, a checkbox is a part of one, a tile's link reaches over the whole tile: those wear the ring.
      const ringed = await element.evaluate((node) =>
        [node, ...["label", "article", "li"].map((around) => node.closest(around))].some(
          (one) => one && getComputedStyle(one).outlineStyle !== "none",
        ),
      );
      expect(ringed, "the focus can be seen").toBe(true);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`Not reached with ${MOST} presses of Tab: ${String(element)}`);
}

/** Goes to a field and types. */
export async function press(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Goes to a select and types the option's words. */
export async function choose(page: Page, select: Locator, words: string): Promise<void> {
  await tabTo(page, select);
  await page.keyboard.type(words);
  await expect(select.locator("option:checked")).toHaveText(words);
}
