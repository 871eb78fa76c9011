import { setTimeout } from "node:timers/promises";

import type { Engine } from "./engine.ts";

/** What a shopper looks for: a role and its accessible name, in the top dialog, in the checkout's frame, or anywhere. */
export interface Target {
  role: "button" | "link" | "field" | "heading" | "radio" | "text";
  /** A regular expression of the whole name. */
  name: string;
  within?: "dialog" | "frame" | "main";
}

type Found = { x: number; y: number; isCovered: boolean; text: string };

/**
 * In the page: the first visible element of the target, scrolled into view, with its middle in the top window's viewport. Null:
 * there is none.
 */
function find({ role, name, within }: Target): Found | null {
  const selectors = {
    button: "button, [role=button]",
    link: "a[href]",
    field: "input:not([type=radio]):not([type=checkbox]), textarea, select",
    heading: "h1, h2, h3, h4",
    radio: "input[type=radio]",
    text: "p, span, div, li, td, dd, dt, strong, output, h1, h2, h3, h4, button, a",
  };
  const frame = within === "frame" ? document.querySelector<HTMLIFrameElement>("iframe[title=Checkout]") : null;
  if (within === "frame" && !frame?.contentDocument) return null;
  const page = frame?.contentDocument ?? document;
  const dialogs = [...page.querySelectorAll<HTMLElement>("dialog[open], [role=dialog]")];
  const place = within === "dialog" ? dialogs.at(-1) : within === "main" ? page.querySelector("main") : page;
  if (!place) return null;
  const expected = new RegExp(`^(?:${name})$`, "u");
  const nameOf = (element: HTMLElement): string => {
    const labels = (element as HTMLInputElement).labels;
    const text =
      element.getAttribute("aria-label") ??
      (element.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => page.getElementById(id)?.textContent ?? "")
        .join(" ");
    return (
      text.trim() ||
      (labels?.length ? [...labels].map((label) => label.textContent).join(" ") : element.textContent) ||
      ""
    )
      .replace(/\s+/gu, " ")
      .trim();
  };
  for (const element of place.querySelectorAll<HTMLElement>(selectors[role])) {
    // A radio button is drawn by its label.
    const shown = role === "radio" ? ((element as HTMLInputElement).labels?.[0] ?? element) : element;
    if (!shown.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) || !expected.test(nameOf(element)))
      continue;
    shown.scrollIntoView({ block: "center", behavior: "instant" });
    const box = shown.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = page.elementFromPoint(x, y);
    const outer = frame?.getBoundingClientRect();
    const isHit =
      top !== null &&
      (shown.contains(top) ||
        top.contains(shown) ||
        [...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(top)));
    return { x: x + (outer?.left ?? 0), y: y + (outer?.top ?? 0), isCovered: !isHit, text: nameOf(element) };
  }
  return null;
}

/** In the page: chooses an option of a list by its text, as its popup does. */
function choose(label: string, option: string): boolean {
  const page = document.querySelector<HTMLIFrameElement>("iframe[title=Checkout]")?.contentDocument ?? document;
  const list = [...page.querySelectorAll("select")].find((each) => each.labels[0]?.textContent.trim() === label);
  const index = list ? [...list.options].findIndex((each) => each.text === option) : -1;
  if (!list || index === -1) return false;
  list.selectedIndex = index;
  list.dispatchEvent(new Event("input", { bubbles: true }));
  list.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/** In the page: the value of the field that has the focus, also inside the checkout's frame. */
function focusedValue(): string | null {
  const top = document.activeElement;
  const active = top instanceof HTMLIFrameElement ? top.contentDocument?.activeElement : top;
  return (active as HTMLInputElement | null)?.value ?? null;
}

const WAIT_MS = 20_000;
const POLL_MS = 100;

/** What a shopper does in any engine. Each step waits until it is possible, 20 s at most. */
export class EngineShopper {
  readonly engine: Engine;
  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** Waits until `read` returns something else than null or false. */
  async until<T>(what: string, read: () => Promise<T | null | false>): Promise<T> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const value = await read();
      if (value !== null && value !== false) return value;
      if (Date.now() > deadline) throw new Error(`${what}: not within ${WAIT_MS / 1000} s`);
      await setTimeout(POLL_MS);
    }
  }

  see(target: Target): Promise<Found> {
    return this.until(`see ${target.role} "${target.name}"`, () => this.engine.evaluate(find, target));
  }

  async gone(target: Target): Promise<void> {
    await this.until(
      `${target.role} "${target.name}" is gone`,
      async () => (await this.engine.evaluate(find, target)) === null,
    );
  }

  /** Clicks the middle of the element; it must not lie under another one. */
  async click(target: Target): Promise<Found> {
    const found = await this.until(`click ${target.role} "${target.name}"`, async () => {
      const first = await this.engine.evaluate(find, target);
      if (!first || first.isCovered) return null;
      // It stands still.
      const second = await this.engine.evaluate(find, target);
      return second && second.x === first.x && second.y === first.y ? second : null;
    });
    await this.engine.clickAt(found);
    return found;
  }

  /** Types into an empty field, unless it has that text already. A step that has just opened first moves the focus to its heading, so the field is clicked until it has it. */
  async fill(name: string, text: string, within?: Target["within"]): Promise<void> {
    await this.until(`fill ${name}`, async () => {
      await this.click({ role: "field", name, ...(within && { within }) });
      const value = await this.engine.evaluate(focusedValue);
      if (value === text) return true;
      if (value !== "") return false;
      await this.engine.type(text);
      return (await this.engine.evaluate(focusedValue)) !== "";
    });
  }

  async select(label: string, option: string): Promise<void> {
    await this.until(`choose ${option}`, () => this.engine.evaluate(choose, label, option));
  }

  async isAt(path: string): Promise<string> {
    return this.until(`the address ${path}`, async () => {
      const address = await this.engine.evaluate(() => location.pathname);
      return new RegExp(`^${path}$`, "u").test(address) ? address : null;
    });
  }
}
