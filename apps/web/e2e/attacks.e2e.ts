import { sanitizeDescription } from "../../server/src/lib/sanitize.ts";
import { attacks } from "../../server/test/attacks.ts";
import { expect, type Page, test } from "./lib/fixtures.ts";
import { beCustomer } from "./lib/shopper.ts";

/** Every attack calls it. */
async function listenForAlerts(page: Page): Promise<string[]> {
  const alerts: string[] = [];
  await page.context().exposeBinding("alert", ({ frame }, ...words: unknown[]) => {
    alerts.push(`${frame.url()} ${words.join(" ")}`);
  });
  return alerts;
}

/** Tags and attributes of descriptions on the page that no vendor may write. */
const strange = (page: Page) =>
  page.evaluate(() => {
    const allowed = new Set(["P", "B", "STRONG", "I", "EM", "UL", "OL", "LI", "H3", "H4", "BR", "A"]);
    const texts = [...document.querySelectorAll("[data-rich-text]")];
    const inside = texts.flatMap((text) => [...text.querySelectorAll("*")]);
    return {
      texts: texts.length,
      found: inside
        .filter(
          (one) =>
            !allowed.has(one.tagName) ||
            one.getAttributeNames().some((name) => one.tagName !== "A" || !["href", "rel"].includes(name)) ||
            (one instanceof HTMLAnchorElement && !["https:", "mailto:"].includes(one.protocol)),
        )
        .map(({ outerHTML }) => outerHTML),
    };
  });

test("no script in a description runs", { tag: ["@fail:H1", "@fail:H8"] }, async ({ page, market }) => {
  const alerts = await listenForAlerts(page);
  const html = attacks.map((attack) => sanitizeDescription(attack)).join("");
  const { hub: _, customer, vendor, products, bundle } = await market.ask("attacked", { html });
  await beCustomer(page, market, customer);
  for (const path of [
    `/product/${products[0]!.slug}`,
    `/vendors/${vendor.slug}`,
    `/collections/vendor/${vendor.slug}`,
    `/bundles/${bundle.slug}`,
  ]) {
    await page.goto(path);
    const more = page.getByRole("dialog").getByRole("button", { name: "View More" });
    await expect(page.getByRole("dialog").locator("[data-dialog-title]")).toBeVisible();
    if (path.includes("vendor")) await more.click();
    await expect.poll(async () => (await strange(page)).texts, path).toBeGreaterThan(0);
    expect((await strange(page)).found, path).toEqual([]);
  }
  expect(alerts).toEqual([]);
});

test(
  "a script that an older sanitizer let through is blocked by the content security policy",
  { tag: ["@fail:H1"] },
  async ({ page, market, pageErrors }) => {
    const alerts = await listenForAlerts(page);
    const answered: string[] = [];
    page.on("response", (answer) => {
      if (!answer.url().startsWith(market.address)) answered.push(answer.url());
    });
    // All but what swallows the rest, and the one thing that no policy stops.
    const html = attacks
      .filter(
        (attack) => !/plaintext|http-equiv|<!--|<(textarea|title|xmp|noscript|template|select|noembed)/i.test(attack),
      )
      .map((attack) => `<div>${attack}</div>`)
      .join("");
    const { customer, vendor, products, bundle } = await market.ask("attacked", { html });
    await beCustomer(page, market, customer);
    for (const path of [`/product/${products[0]!.slug}`, `/bundles/${bundle.slug}`, `/vendors/${vendor.slug}`]) {
      await page.goto(path);
      await expect(page.getByRole("dialog").locator("[data-dialog-title]")).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
    }
    // It was tried, and refused.
    await expect.poll(() => pageErrors.violations.length).toBeGreaterThan(0);
    expect(alerts).toEqual([]);
    expect(answered).toEqual([]);
    // Refused before they left the browser.
    pageErrors.foreign.length = 0;
    pageErrors.violations.length = 0;
  },
);

test(
  "markup in names, reviews, questions, posts, banners and search terms is shown as text",
  { tag: ["@fail:H2", "@fail:H8"] },
  async ({ page, market }) => {
    const alerts = await listenForAlerts(page);
    const shown = await market.ask("attacked", { html: "<p>Good.</p>" });
    const { hub, customer, vendor, products, collection, bundle, post, banner } = shown;
    await beCustomer(page, market, customer);
    const [product] = products;
    await page.request.put(`${market.address}/api/cart`, {
      data: products.slice(0, 4).map(({ id, variantId }) => ({ productId: id, variantId, quantity: 1 })),
      headers: { origin: market.address },
    });
    const main = page.getByRole("main");
    const dialog = page.getByRole("dialog");

    await page.goto("/shop");
    await expect(main.getByText(post).first()).toBeVisible();
    await expect(main.getByText(banner).first()).toBeVisible();
    await expect(page.getByRole("complementary").getByText(products[1]!.title.slice(0, 60)).first()).toBeVisible();

    await page.goto(`/product/${product!.slug}`);
    await expect(dialog.getByRole("heading", { name: product!.title, exact: true })).toBeVisible();
    await dialog.getByRole("tab", { name: /^Reviews/ }).click();
    const reviews = dialog.getByRole("list", { name: "Reviews" });
    await expect(reviews.getByRole("listitem")).toHaveCount(5);
    const more = dialog.getByRole("button", { name: /^Show \d+ more$/ });
    for (let shown = 5; shown < attacks.length; shown += 5) {
      if (!(await more.isVisible())) break;
      await more.click();
      await expect(reviews.getByRole("listitem")).not.toHaveCount(shown);
    }
    await expect(reviews.getByText("onerror=alert(1)").first()).toBeVisible();
    await dialog.getByRole("tab", { name: "Q&A" }).click();
    await expect(
      dialog.getByRole("list", { name: "Questions and answers" }).getByRole("listitem").first(),
    ).toBeVisible();
    await dialog.getByRole("button", { name: "Share" }).click();
    await expect(dialog.last().getByRole("heading", { name: /^Share / })).toContainText("alert(1)");

    for (const [path, words] of [
      ["/vendors", vendor.name],
      [`/vendors/${vendor.slug}`, vendor.name],
      [`/collections/vendor/${vendor.slug}`, vendor.name],
      ["/collections", collection.title],
      [`/collections/${collection.slug}`, collection.title],
      [`/collections/${collection.slug}?page=2`, products.at(-1)!.title],
      ["/bundles", bundle.title],
      [`/bundles/${bundle.slug}`, bundle.title],
      ["/favorites", product!.title],
      ["/hubs", hub.name],
      [`/hubs/${hub.id}`, hub.name],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(words).first(), path).toBeVisible();
    }
    await page.goto(`/vendors/${vendor.slug}`);
    await dialog.getByRole("button", { name: "Endorse" }).click();
    await expect(dialog.last().getByRole("heading", { name: `Endorse ${vendor.name}`, exact: true })).toBeVisible();

    // Typed, and in the address.
    for (const term of attacks
      .filter(({ length }) => length >= 3 && length <= 60)
      .filter((_, place) => place % 12 === 0)) {
      await page.goto(`/search?q=${encodeURIComponent(term)}`);
      await expect(page.getByRole("heading", { level: 1, name: /^Found \d+ results$/ })).toBeVisible();
    }
    await page.getByRole("combobox").fill("<img src=x onerror=alert(1)>");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/search\?q=%3Cimg/);
    await expect(page.getByRole("heading", { level: 1, name: /^Found \d+ results$/ })).toBeVisible();
    expect(alerts).toEqual([]);
  },
);

/** Fetches server-rendered pages and returns the markup in them that no shopper's text may become. */
const findRenderedMarkup = async (paths: string[]) => {
  const wrong: string[] = [];
  for (const path of paths) {
    const answer = await fetch(path);
    const rendered = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const one of rendered.querySelectorAll("*")) {
      const tag = one.tagName.toLowerCase();
      const data = ["application/json", "application/ld+json"].includes(one.getAttribute("type") ?? "");
      const ours = one.getAttribute("src")?.startsWith("/assets/");
      if (data) {
        try {
          JSON.parse(one.textContent ?? "");
        } catch {
          wrong.push(`${path}: broken data`);
        }
      } else if (tag === "script" && !ours) wrong.push(`${path}: ${one.outerHTML}`);
      if (one.getAttributeNames().some((name) => name.startsWith("on") || name === "style" || name === "srcdoc"))
        wrong.push(`${path}: ${one.outerHTML}`);
      if (["iframe", "object", "embed", "base", "form", "style", "math", "template"].includes(tag))
        wrong.push(`${path}: ${one.outerHTML}`);
    }
  }
  return wrong;
};

test("the server's view contains the text of the page", { tag: ["@fail:H2"] }, async ({ page, market }) => {
  const alerts = await listenForAlerts(page);
  const { customer, vendor, products, collection, bundle, hub } = await market.ask("attacked", {
    html: "<p>Good.</p>",
  });
  await beCustomer(page, market, customer);
  await page.goto("/faq-that-is-not-there");
  const paths = [
    "/shop",
    ...products.map(({ slug }) => `/product/${slug}`),
    `/vendors/${vendor.slug}`,
    `/collections/vendor/${vendor.slug}`,
    `/collections/${collection.slug}`,
    `/bundles/${bundle.slug}`,
    `/hubs/${hub.id}`,
    ...attacks.map((attack) => `/search?q=${encodeURIComponent(attack)}`),
    ...attacks.filter((_, place) => place % 10 === 0).map((attack) => `/shop?trk=${encodeURIComponent(attack)}`),
  ];
  // A few at a time: one long step says nothing of where it stands on a busy machine.
  const wrong: string[] = [];
  for (let from = 0; from < paths.length; from += 10)
    wrong.push(...(await page.evaluate(findRenderedMarkup, paths.slice(from, from + 10))));
  expect(paths.length).toBeGreaterThan(250);
  expect(wrong).toEqual([]);
  expect(alerts).toEqual([]);
});
