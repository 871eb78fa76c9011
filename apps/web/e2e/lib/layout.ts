import { expect, type Frame, type Page } from "@playwright/test";

/**
 * In the page: what a window of this width cuts or moves out of sight. Sideways scrolling of the page or of a part that is no rail;
 * text and controls beside the window; text that leaves its card, button or field; text cut by `overflow: hidden`; text over text.
 */
function findFaults(isLarge: boolean): string[] {
  const found = new Set<string>();
  const px = (value: number) => `${Math.ceil(value)} px`;
  const name = (element: Element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent)
      .trim()
      .replaceAll(/\s+/g, " ")
      .slice(0, 40);
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${text}”`;
  };
  const root = document.documentElement;
  const layer = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  for (const skipped of document.querySelectorAll<HTMLElement>("[data-offscreen], [data-offscreen] > *"))
    skipped.style.contentVisibility = "visible";

  /** An element, from itself to the root; its computed style is read once. */
  interface Box {
    element: Element;
    parent: Box | null;
    rect: DOMRect;
    isHidden: boolean;
    scrollsX: boolean;
    scrollsY: boolean;
    cuts: boolean;
    isRail: boolean;
    /** Two lines, or one with an ellipsis, are a design, but not where everything is twice as large. */
    isShortened: boolean;
    /** It has a border or a ground. */
    isDrawn: boolean;
    position: string;
  }
  const boxes = new Map<Element, Box>();
  const boxOf = (element: Element): Box => {
    const known = boxes.get(element);
    if (known) return known;
    const parent = element.parentElement && boxOf(element.parentElement);
    const rect = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const { overflowX, overflowY, backgroundColor, position } = style;
    const scrollsX = overflowX === "auto" || overflowX === "scroll";
    const made: Box = {
      element,
      parent,
      rect,
      isHidden:
        parent?.isHidden === true ||
        style.visibility === "hidden" ||
        style.opacity === "0" ||
        style.clipPath === "inset(50%)" ||
        (rect.width <= 1 && rect.height <= 1),
      scrollsX,
      scrollsY: overflowY === "auto" || overflowY === "scroll",
      cuts: (overflowX === "hidden" || overflowX === "clip") && !element.matches("dialog"),
      isRail: scrollsX && (style.scrollbarWidth !== "auto" || style.scrollSnapType.startsWith("x")),
      isShortened: !isLarge && (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none"),
      isDrawn: style.display !== "inline" && (style.borderTopWidth !== "0px" || backgroundColor !== "rgba(0, 0, 0, 0)"),
      position,
    };
    boxes.set(element, made);
    return made;
  };

  if (root.scrollWidth > root.clientWidth) found.add(`the page is ${px(root.scrollWidth - root.clientWidth)} too wide`);
  for (const element of layer.querySelectorAll("*")) {
    const { rect, scrollsX, isRail } = boxOf(element);
    const over = element.scrollWidth - element.clientWidth;
    if (rect.width > 0 && scrollsX && !isRail && over > 0 && !element.closest("pre, table, textarea"))
      found.add(`${name(element)} scrolls sideways by ${px(over)}`);
  }

  const texts: { element: Element; rect: DOMRect; plane: Element | null }[] = [];
  const check = (element: Element, rect: DOMRect, isText: boolean) => {
    const slack = Math.max(2, rect.height * 0.3);
    let inner: Box | null = null;
    // Up to what scrolls: what is beyond its edges is reached by scrolling.
    for (let box: Box | null = boxOf(element); box && box.element !== document.body; inner = box, box = box.parent) {
      if (box.isRail || box.isShortened) return;
      const x = Math.max(box.rect.left - rect.left, rect.right - box.rect.right);
      const y = Math.max(box.rect.top - rect.top, rect.bottom - box.rect.bottom);
      const isOut = x > 1.5 || (y > slack && !box.scrollsY);
      const isPlaced = inner?.position === "absolute" || inner?.position === "fixed";
      if (isOut && (isText || box.element !== element)) {
        if (box.cuts) found.add(`${name(element)} is cut by ${name(box.element)}: ${px(Math.max(x, y))}`);
        else if (box.isDrawn && !isPlaced)
          found.add(`${name(element)} leaves ${name(box.element)}: ${px(Math.max(x, y))}`);
      }
      if (box.position === "fixed" || box.scrollsY) break;
    }
    const over = Math.max(-rect.left, rect.right - root.clientWidth);
    if (over > 1.5) found.add(`${name(element)} is ${px(over)} beside the window`);
    if (!isText) return;
    // Bars may lie over what scrolls below them.
    let plane: Box | null = boxOf(element);
    while (
      plane &&
      !plane.scrollsY &&
      !["fixed", "sticky"].includes(plane.position) &&
      !plane.element.matches("dialog")
    )
      plane = plane.parent;
    texts.push({ element, rect, plane: plane?.element ?? null });
  };

  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.nodeValue?.trim() || parent.closest("script, style, option, svg, textarea")) continue;
    if (boxOf(parent).isHidden || !parent.checkVisibility()) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
    for (const rect of rects) check(parent, rect, true);
    if (rects.length < 2) continue;
    for (const { 0: word, index } of node.nodeValue.matchAll(/(?<!\S)[^\s\-–/@]{3,11}(?!\S)/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      if (new Set(lines).size > 1) found.add(`${name(parent)} breaks “${word}”`);
    }
  }
  for (const control of layer.querySelectorAll("button, input, select, textarea, img"))
    if (!control.matches("[type=radio], [type=checkbox]") && !boxOf(control).isHidden && control.checkVisibility())
      check(control, boxOf(control).rect, false);

  const sorted = texts.toSorted((a, b) => a.rect.top - b.rect.top);
  for (const [index, one] of sorted.entries())
    for (const other of sorted.slice(index + 1)) {
      if (other.rect.top >= one.rect.bottom) break;
      if (other.plane !== one.plane || other.element === one.element) continue;
      const x = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const y = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (x > 2 && y > 0.4 * Math.min(one.rect.height, other.rect.height))
        found.add(`${name(one.element)} and ${name(other.element)} overlap by ${px(x)} × ${px(y)}`);
    }
  return [...found];
}

/**
 * In the page: how much of the height of the window, or of its top dialog, stays for what scrolls, or for the frame that does,
 * 0 to 1, between the bars.
 */
function measureView(): number {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  let [top, bottom] = [0, innerHeight];
  if (dialog) {
    const height = Math.min(innerHeight, dialog.clientHeight);
    const frame = dialog.querySelector("iframe");
    if (frame) return frame.clientHeight / height;
    const parts = [...dialog.querySelectorAll("*")].filter((element) => {
      const { overflowY } = getComputedStyle(element);
      return (overflowY === "auto" || overflowY === "scroll") && element.scrollHeight > element.clientHeight;
    });
    if (parts.length === 0) return 1;
    return Math.max(...parts.map((part) => part.clientHeight)) / height;
  }
  for (const element of document.body.querySelectorAll("*")) {
    const { position } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (!["fixed", "sticky"].includes(position) || box.width < innerWidth / 2 || box.height < 4) continue;
    if (box.top <= 1 && box.bottom < innerHeight) top = Math.max(top, box.bottom);
    else if (box.bottom >= innerHeight - 1 && box.top > 0 && position === "fixed") bottom = Math.min(bottom, box.top);
  }
  return (bottom - top) / innerHeight;
}

/** In the page and in each frame that is seen. */
async function inFrames<T>(page: Page, run: (frame: Frame) => Promise<T>): Promise<T[]> {
  const seen: Frame[] = [];
  for (const frame of page.frames())
    if (frame === page.mainFrame() || (await (await frame.frameElement()).isVisible())) seen.push(frame);
  return Promise.all(seen.map(run));
}

const setTextSize = (page: Page, percent: number) =>
  inFrames(page, (frame) =>
    frame.evaluate((size) => document.documentElement.style.setProperty("font-size", size), `${percent}%`),
  );

interface Sizes {
  width: number;
  height: number;
  /** Of the text, percent of what the shopper's browser has. */
  text: 100 | 200;
}

/** At each size nothing is cut, covered or beside the window, and the bars leave half of the window to what scrolls. */
export async function expectLayout(page: Page, sizes: readonly Sizes[]): Promise<void> {
  for (const { width, height, text } of sizes) {
    // Chromium keeps the `rem` of a container query until the container's width changes: of a dialog, only from a narrow window on.
    await page.setViewportSize({ width: width < 600 ? width + 10 : 590, height });
    await setTextSize(page, text);
    await page.setViewportSize({ width, height });
    const at = `${width} × ${height} px, text of ${text} %`;
    const faults = () => inFrames(page, (frame) => frame.evaluate(findFaults, text > 100));
    await expect.poll(async () => (await faults()).flat(), { message: at }).toEqual([]);
    const view = async () => Math.min(...(await inFrames(page, (frame) => frame.evaluate(measureView))));
    await expect.poll(view, { message: `${at}: the part of the window that scrolls` }).toBeGreaterThanOrEqual(0.5);
  }
  await setTextSize(page, 100);
}
