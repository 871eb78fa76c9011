import { readFileSync, statSync } from "node:fs";

import type { Request } from "@playwright/test";

import { expect, openBrowser, test } from "./lib/fixtures.ts";
import { beGuest } from "./lib/shopper.ts";

const kB = 1000;

test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, hasTouch: true, isMobile: true });

test(
  "the shop's first view is small and loads nothing from other hosts",
  { tag: ["@fail:H8"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    const finished: Request[] = [];
    page.on("requestfinished", (request) => finished.push(request));
    await page.goto("/shop", { waitUntil: "load" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // What loads later, when the line is idle, is not part of it.
    const loaded = await Promise.all(
      [...finished].map(async (request) => {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        const url = new URL(request.url()).pathname;
        return { kind: request.resourceType(), bytes: responseBodySize + responseHeadersSize, url };
      }),
    );
    const sum = (kind?: string) =>
      loaded.filter((one) => kind === undefined || one.kind === kind).reduce((all, { bytes }) => all + bytes, 0);
    expect(sum("script")).toBeGreaterThan(40 * kB);
    const scripts = loaded.filter(({ kind }) => kind === "script").map(({ url, bytes }) => `${url} ${bytes}`);
    expect(sum("script"), `JavaScript, compressed: ${scripts.join(", ")}`).toBeLessThanOrEqual(122 * kB);
    expect(sum("stylesheet"), "styles, compressed").toBeLessThanOrEqual(16 * kB);
    expect(loaded.length, "requests").toBeLessThanOrEqual(24);
    expect(sum(), "bytes in all").toBeLessThanOrEqual(380 * kB);
  },
);

test("the shop's page names all code of its first view, also of a desktop: what is named is kept for when there is no network", async ({
  browser,
  page,
  market,
}) => {
  await beGuest(page, market);
  for (const width of [412, 1280]) {
    const context = await openBrowser(browser, market, {
      viewport: { width, height: 860 },
      storageState: await page.context().storageState(),
    });
    const shop = await context.newPage();
    // Without what is prefetched after the first movement, which a busy machine may see before the polling.
    await shop.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    const requested: string[] = [];
    shop.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/assets\/.*\.(js|css)$/.test(pathname)) requested.push(pathname);
    });
    const html = await (await shop.goto(`${market.address}/shop`))!.text();
    await expect(shop.getByRole("button", { name: /^Add / }).first()).toBeVisible();
    const cart = shop.getByRole("complementary", { name: "Shopping panel", exact: true });
    if (width === 1280) await expect(cart.getByRole("tab", { name: /^Cart/ })).toBeVisible();
    else expect(requested.filter((file) => /side-panel|search-field|footer/.test(file))).toEqual([]);
    const first = requested.slice(0, requested.findIndex((file) => file.includes("session-polling")) >>> 0);
    // What an empty cart suggests comes after the panel, on a busy machine before the polling.
    expect(first.filter((file) => !html.includes(`"${file}"`) && !file.includes("/usuals-"))).toEqual([]);
    await context.close();
  }
});

test("the checkout's own chunk is small", async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/shop", { waitUntil: "networkidle" });
  let bytes = 0;
  const sizes: Promise<unknown>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "script")
      sizes.push(request.sizes().then(({ responseBodySize }) => (bytes += responseBodySize)));
  });
  await page.goto("/embed/checkout", { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
  await Promise.all(sizes);
  // What it shares with the shop is in the browser's cache by now.
  expect(bytes).toBeLessThanOrEqual(35 * kB);
});

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  isDynamicEntry?: boolean;
}

/** With Leaflet, which the static map replaces until it is loaded. */
const MAP = "src/features/hubs/hub-map.tsx";

/** What a build consists of, by its manifest; weights are compressed bytes. */
function readBuild(dist: URL) {
  const chunks = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8")) as Record<string, Chunk>;
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const other of chunks[name]?.imports ?? []) reached(other, seen);
    return seen;
  };
  const filesOf = (name: string) =>
    new Set([...reached(name)].flatMap((each) => [chunks[each]?.file ?? "", ...(chunks[each]?.css ?? [])]));
  // Some are smaller than what is worth compressing.
  const weight = (file: string) => {
    const [pressed, plain] = [new URL(`${file}.br`, dist), new URL(file, dist)];
    return (statSync(pressed, { throwIfNoEntry: false }) ?? statSync(plain)).size;
  };
  const weightOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + weight(file), 0);
  const atOnce = filesOf("index.html");
  const lazy = Object.keys(chunks)
    .filter((name) => chunks[name]?.isDynamicEntry)
    .map((name) => ({ name, bytes: weightOf([...filesOf(name)].filter((file) => !atOnce.has(file))) }));
  return { atOnce: weightOf(atOnce), lazy };
}

test("each lazy chunk with its imports is small", async () => {
  const { lazy } = readBuild(new URL("../dist/", import.meta.url));
  expect(lazy.length).toBeGreaterThan(40);
  for (const { name, bytes } of lazy) expect(bytes, name).toBeGreaterThan(100);
  expect(lazy.filter(({ name, bytes }) => name !== MAP && bytes > 20 * kB)).toEqual([]);
  expect(lazy.find(({ name }) => name === MAP)?.bytes).toBeLessThanOrEqual(50 * kB);
});

test("the admin app's first load, with any of its screens, is at most 180 kB of scripts and styles", async () => {
  const { atOnce, lazy } = readBuild(new URL("../../admin/dist/", import.meta.url));
  expect(atOnce).toBeGreaterThan(40 * kB);
  expect(lazy.map(({ name }) => name)).toContain("src/features/today/today-page.tsx");
  expect(lazy.filter(({ bytes }) => atOnce + bytes > 180 * kB)).toEqual([]);
});
