import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startEmbedded } from "@marketday/db/embedded";
import { type Env, parseEnv } from "@marketday/server/env";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import sharp from "sharp";

import { root, runProgram } from "../run.ts";
import { adminScreens } from "./admin.ts";
import { callApi, type Screen, screensOf, type Shown } from "./index.ts";
import { see } from "./screen.ts";
import { takeScreenshot } from "./take.ts";

/** The folder of the README's pictures. */
const README_PICTURES = join(root, "docs/images");
/** Bytes of the largest picture: the README loads on a phone. */
export const MAX_PICTURE_BYTES = 150_000;
/** WebP qualities, best first; the first whose file is small enough is taken. */
const QUALITIES = [86, 80, 74, 68, 60, 50, 40];

const DESKTOP = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true };

/** The README's pictures of screens: file, screen, browser. */
const PICTURES: readonly (readonly [string, string, BrowserContextOptions])[] = [
  ["shop-desktop", "shop", { ...DESKTOP, colorScheme: "light" }],
  ["shop-phone", "shop", { ...PHONE, colorScheme: "light" }],
  ["shop-phone-dark", "shop", { ...PHONE, colorScheme: "dark" }],
  ["checkout", "checkout-in-the-shop", { ...DESKTOP, colorScheme: "light" }],
  ["admin-today", "admin-today", { ...DESKTOP, colorScheme: "light" }],
];

/**
 * Starts a Postgres in a new folder, and the built-in settings of a market on it. `close` removes both.
 * @throws EmbeddedError
 */
export async function openReadmeMarket(): Promise<{ env: Env; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "marketday-readme-"));
  try {
    const { url, stop } = await startEmbedded({ dataDir: join(dataDir, "postgres"), throwaway: true });
    const close = async () => {
      try {
        await stop();
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    };
    return { env: parseEnv({ DATA_DIR: dataDir, DATABASE_URL: url }), close };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Writes a picture as WebP of at most `MAX_PICTURE_BYTES`. */
async function writePicture(name: string, picture: Buffer): Promise<void> {
  for (const quality of QUALITIES) {
    const webp = await sharp(picture).webp({ quality, effort: 6 }).toBuffer();
    if (webp.length > MAX_PICTURE_BYTES) continue;
    return writeFile(join(README_PICTURES, `${name}.webp`), webp);
  }
  throw new Error(`The picture ${name} is too large.`);
}

/** Runs `./market … --json` on the photographed market. */
async function runMarket<T>({ dataDir, databaseUrl }: Env, ...args: string[]): Promise<T> {
  const { code, output } = await runProgram(process.execPath, [join(root, "scripts/market.ts"), ...args, "--json"], {
    env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? "", NODE_ENV: "" },
  });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as T;
}

/** A delivery day with its sheets. */
interface PrintedDay {
  hub: string;
  day: string;
  pickSheets: Buffer;
}

/** Makes the sheets of the last closed delivery day of the first hub. */
async function makeSheets(env: Env): Promise<PrintedDay> {
  type Weeks = {
    hubs: { hub: string; days: { day: string; version: number | null; orders: { closed?: number } }[] }[];
  };
  const { hubs } = await runMarket<Weeks>(env, "week");
  const [found] = hubs.flatMap(({ hub, days }) =>
    days.flatMap(({ day, orders }) => (orders.closed ? [{ hub, day }] : [])),
  );
  if (!found) throw new Error("No delivery day of the demo has closed orders.");
  const out = join(env.dataDir, "print");
  const { folder } = await runMarket<{ folder: string }>(env, "sheets", found.hub, found.day, "--out", out);
  return { ...found, pickSheets: await readFile(join(folder, "pick-sheets.pdf")) };
}

/** In the foot of a sheet that is one page. */
const PAGE_TO_SHOW = /page 1 of 1/i;

/** Renders the fullest single page of a PDF in the browser. PNG. */
async function renderFullestPage(browser: Browser, pdf: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 918, height: 1188 } });
  try {
    const library = createRequire(import.meta.url).resolve("pdfjs-dist/build/pdf.min.mjs");
    const files: Record<string, { path: string }> = {
      "/pdf.mjs": { path: library },
      "/worker.mjs": { path: library.replace("pdf.min.mjs", "pdf.worker.min.mjs") },
    };
    await page.route("http://sheet.invalid/**", (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/sheet.pdf") return route.fulfill({ body: pdf, contentType: "application/pdf" });
      const file = files[pathname];
      return file
        ? route.fulfill({ ...file, contentType: "text/javascript" })
        : route.fulfill({ body: "<!doctype html><body style='margin:0'>", contentType: "text/html" });
    });
    await page.goto("http://sheet.invalid/");
    await page.evaluate(`(async () => {${renderScript}})()`);
    return await page.locator("canvas").screenshot();
  } finally {
    await page.close();
  }
}

/** Runs in the page: draws the page "1 of 1" with the most text. */
const renderScript = `
  const { getDocument, GlobalWorkerOptions } = await import("/pdf.mjs");
  GlobalWorkerOptions.workerSrc = "/worker.mjs";
  const pdf = await getDocument({ url: "/sheet.pdf" }).promise;
  let best = { page: await pdf.getPage(1), length: 0 };
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const text = (await page.getTextContent()).items.map(({ str }) => str).join(" ");
    if (${String(PAGE_TO_SHOW)}.test(text) && text.length > best.length) best = { page, length: text.length };
  }
  const viewport = best.page.getViewport({ scale: 1.5 });
  const canvas = document.createElement("canvas");
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  document.body.append(canvas);
  await best.page.render({ canvas, viewport }).promise;`;

/** The photographed cart: how many of a product of each of these collections of the demo. */
const CART: Readonly<Record<string, number>> = { produce: 2, "meat-eggs": 1, bakery: 1, dairy: 1 };

/** The same market with a cart of several products that are in stock for the next delivery. */
async function withFullCart(browser: Browser, market: Shown): Promise<Shown> {
  const context = await browser.newContext();
  const get = <T>(path: string) => callApi<T>(context, market.address, "GET", path);
  try {
    await callApi(context, market.address, "POST", `/auth/guest?hubId=${market.hubId}`);
    type Product = { id: number; isPreOrder: boolean; variants: { id: number; inventory: number }[] };
    const cart: Required<Shown>["cart"][number][] = [];
    for (const { id, slug } of await get<{ id: number; slug: string }[]>("/collections")) {
      const quantity = CART[slug];
      if (quantity === undefined) continue;
      const { payload } = await get<{ payload: Product[] }>(`/collections/${id}/products`);
      for (const { id: productId, variants } of payload.filter(({ isPreOrder }) => !isPreOrder)) {
        const variant = variants.find(({ inventory }) => inventory >= quantity);
        if (!variant) continue;
        cart.push({ productId, variantId: variant.id, quantity });
        break;
      }
    }
    if (cart.length < Object.keys(CART).length) throw new Error("The demo lacks goods for the README's cart.");
    return { ...market, cart };
  } finally {
    await context.close();
  }
}

/** Makes the README's pictures and returns their folder. */
export async function takeReadmePictures(
  { browser, market }: { browser: Browser; market: Shown },
  env: Env,
): Promise<string> {
  await mkdir(README_PICTURES, { recursive: true });
  const screens = new Map(
    [...screensOf(market), ...adminScreens(market)].map((screen): [string, Screen] => [screen.name, screen]),
  );
  const filled = await withFullCart(browser, market);
  for (const [file, name, options] of PICTURES) {
    const screen = screens.get(name);
    if (!screen) throw new Error(`There is no screen ${name}.`);
    await writePicture(file, await takeScreenshot(browser, screen, filled, options));
  }
  const { hub, day, pickSheets } = await makeSheets(env);
  await writePicture("pick-sheet", await renderFullestPage(browser, pickSheets));
  const dayScreen: Screen = { name: "admin-day", as: "staff", path: `/admin/days/${hub}/${day}`, run: see(/^Sheets,/) };
  await writePicture(
    "admin-day",
    await takeScreenshot(browser, dayScreen, market, { ...DESKTOP, colorScheme: "light" }),
  );
  return README_PICTURES;
}
