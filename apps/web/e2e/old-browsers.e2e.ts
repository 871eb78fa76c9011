import { readdirSync, readFileSync } from "node:fs";

import { transformWithOxc } from "vite";

import web from "../package.json" with { type: "json" };
import { expect, test } from "./lib/fixtures.ts";
import { beGuest, comeIn } from "./lib/shopper.ts";

/** In the page: what is younger than the oldest browsers (docs/decisions/0022) is gone, whether the app uses it or not. */
function removeYoungApis(): void {
  const gone: [object, string[]][] = [
    [HTMLElement.prototype, ["popover", "showPopover", "hidePopover", "togglePopover", "onscrollend"]],
    [Element.prototype, ["checkVisibility", "moveBefore", "setHTML", "getHTML"]],
    [URLSearchParams.prototype, ["size"]],
    [URL, ["canParse", "parse"]],
    [AbortSignal, ["any"]],
    [Promise, ["withResolvers", "try"]],
    [Object, ["groupBy"]],
    [Map, ["groupBy"]],
    [Array, ["fromAsync"]],
    [String.prototype, ["isWellFormed", "toWellFormed"]],
    [Set.prototype, ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isDisjointFrom"]],
    [Document.prototype, ["startViewTransition", "adoptedStyleSheets"]],
    [RegExp, ["escape"]],
    [Math, ["sumPrecise"]],
    [
      window,
      [
        "requestIdleCallback",
        "cancelIdleCallback",
        "scheduler",
        "navigation",
        "Iterator",
        "OffscreenCanvas",
        "CloseWatcher",
        "ToggleEvent",
      ],
    ],
  ];
  for (const [owner, names] of gone)
    for (const name of names) {
      delete (owner as Record<string, unknown>)[name];
      if (owner !== window && name in owner) throw new Error(`${name} is still there.`);
    }
}

test("in the oldest browsers a shopper enters a ZIP code, opens a product and fills the cart", async ({
  page,
  context,
  shop,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  const plums = await shop.ask("product", { title: "Late Plums", inventory: 40 });
  await page.addInitScript(removeYoungApis);
  await comeIn(page, shop.zip);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Late Plums", exact: true })).toBeVisible();
  await main.getByRole("link", { name: "Late Plums", exact: true }).click();
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: /^Add to Cart/ }).click();
  await panel.getByRole("button", { name: "Share" }).click();
  const copy = page.getByRole("dialog").last().getByRole("button", { name: "Copy Link" });
  await expect(copy).toBeVisible();
  // A toast is no popover then. It stays while the clock is paused.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await copy.click();
  await expect(page.getByText("Link Copied").first()).toBeVisible();
  await page.clock.resume();
  await page.goto(`/product/${plums.slug}?utm_source=mail`);
  await expect(page.getByRole("dialog").getByRole("heading", { name: "Late Plums", exact: true })).toBeVisible();
  await page.goto("/vendors?sort=popular");
  await expect(page.getByRole("radio", { name: "Popular" })).toBeChecked();
  await page.getByRole("main").getByRole("radio", { name: "Z-A" }).click();
  await expect(page).toHaveURL(/\?sort=desc$/);
  await expect(page.getByRole("complementary").getByText("Late Plums")).toBeVisible();
});

test("a browser older than the oldest keeps the server's page, with a sentence", async ({ page, market }) => {
  await beGuest(page, market);
  await page.addInitScript(() => {
    delete (Array.prototype as { toSorted?: unknown }).toSorted;
  });
  await page.goto("/shop");
  const notice = page.getByText(/^The market needs a newer browser to take orders\./);
  await expect(notice).toBeVisible();
  await expect(page.locator("main.static-view").getByRole("listitem").first()).toBeVisible();
  await page.goto("/embed/terms");
  await expect(notice).toBeVisible();
});

test("an error outside of every screen leaves a page with a button that reloads it", async ({ page, market }) => {
  await beGuest(page, market);
  await page.addInitScript(() => {
    if (sessionStorage.getItem("mended") === null)
      window.matchMedia = () => {
        throw new Error("There are no media queries.");
      };
  });
  for (const path of ["/shop", "/product/no-such-product"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "This page didn’t work" })).toBeVisible();
  }
  await page.goto("/shop");
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
});

test.describe("the build", () => {
  const folder = new URL("../dist/assets/", import.meta.url);
  const filesOf = (ending: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

  test("has no syntax that is younger than the oldest browsers", async () => {
    const target = web.browserslist.map((query) => query.replace(" >= ", ""));
    const print = async (text: string, to: string | string[]) =>
      (await transformWithOxc(text, "a.js", { target: to, sourcemap: false })).code;
    const scripts = filesOf(".js");
    expect(scripts.length).toBeGreaterThan(50);
    // Nothing is left to rewrite.
    expect(await print("class A { static { this.a = 1; } }", target)).not.toContain("static {");
    for (const { name, text } of scripts) expect(await print(text, target), name).toBe(await print(text, "esnext"));
    // Safari has them from 16.4 on, and a regular expression cannot be rewritten.
    for (const { name, text } of scripts) expect(text, name).not.toMatch(/\(\?<[=!]/);
  });

  test("has no colors that the oldest browsers do not know", () => {
    const styles = filesOf(".css");
    expect(styles.length).toBeGreaterThan(20);
    for (const { name, text } of styles) expect(text, name).not.toContain("light-dark(");
  });
});

test("the README names the oldest browsers of the build", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const words = { safari: "Safari", ios: "iOS", chrome: "Chrome", edge: "Edge", firefox: "Firefox" };
  for (const query of web.browserslist) {
    const [name, version] = query.split(" >= ") as [keyof typeof words, string];
    expect(readme).toContain(`${words[name]} ${version}`);
  }
});
