import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDb } from "@marketday/db";
import { startEmbedded } from "@marketday/db/embedded";
import { type Env, parseEnv } from "@marketday/server/env";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import sharp from "sharp";

import { root, runProgram } from "../run.ts";
import { adminScreens } from "./admin.ts";
import { callApi, type Screen, screensOf, type Shown } from "./index.ts";
import { inTurn, see } from "./screen.ts";
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
];

function pressFirstShort(page: Page): Promise<void> {
  return page.getByRole("main").locator("section li a").first().click();
}
function waitForPlan(page: Page): Promise<void> {
  return page.getByRole("button", { name: /^Settle, / }).waitFor();
}
/** All but the last one. */
async function tickMost(page: Page): Promise<void> {
  await page.getByRole("checkbox").first().waitFor();
  for (const box of (await page.getByRole("checkbox").all()).slice(0, DECLINED - 1)) await box.check();
}

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

/** So many boxes are to be paid at the door, because their cards were declined. */
const DECLINED = 4;
/** So many items come short. */
const SHORTS = 3;

/** Some cards of a closed day were declined, of other orders than these. Their ledger entries stay: only a market for pictures may look so. */
async function declineCards(env: Env, hub: string, day: string, others: readonly number[]): Promise<void> {
  const db = createDb({ url: env.databaseUrl ?? "", applicationName: "marketday screenshots" });
  try {
    const boxes = await db.order.findMany({
      where: {
        id: { notIn: [...others] },
        delivery: { day: new Date(day), hub: { slug: hub } },
        add_on_to_id: null,
        status: { not: "cancelled" },
      },
      orderBy: { id: "asc" },
      take: DECLINED,
    });
    const ids = boxes.map(({ id }) => id);
    await db.order.updateMany({
      where: { id: { in: ids } },
      data: { charge_failed_at: new Date(), charge_error: "card_declined" },
    });
  } finally {
    await db.close();
  }
}

/**
 * Of the items of which most are ordered, from different vendors, one or two less come. The last one is settled. Returns the numbers of
 * orders that are lowered by it.
 */
async function makeShorts(
  browser: Browser,
  { address, staff }: Shown,
  env: Env,
  { hub, day }: Pick<PrintedDay, "hub" | "day">,
): Promise<number[]> {
  if (staff === null) throw new Error("The demo has no owner.");
  const context = await browser.newContext();
  try {
    await context.addCookies([{ ...staff, url: address }]);
    const path = `/admin/hubs/${hub}/days/${day}/shorts`;
    type Item = { variantId: number; ordered: number; vendor: { slug: string } };
    const { items } = await callApi<{ items: Item[] }>(context, address, "GET", path);
    const most = items.toSorted((a, b) => b.ordered - a.ordered || a.variantId - b.variantId);
    const ofVendors = most
      .filter(({ vendor }, at) => most.findIndex((one) => one.vendor.slug === vendor.slug) === at)
      .slice(0, SHORTS);
    const last = ofVendors.pop();
    if (!last) throw new Error("The day has no items.");
    const cameOf = (ordered: number) => ordered - (ordered > 3 ? 2 : 1);
    for (const { variantId, ordered } of ofVendors)
      await callApi(context, address, "PUT", path, {
        variantId,
        came: cameOf(ordered),
        of: ordered,
        gets: null,
        refundTo: "credit",
        bearer: "vendor",
        reason: "",
        expectedVersion: null,
      });
    const count = `${cameOf(last.ordered)}/${last.ordered}`;
    const item = [last.vendor.slug, String(last.variantId), count];
    type Settled = { boxes: { orderIds: number[] }[] };
    const { boxes } = await runMarket<Settled>(env, "short", hub, day, ...item, "--reason", "Short days", "--yes");
    return boxes.flatMap(({ orderIds }) => orderIds);
  } finally {
    await context.close();
  }
}

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
  const lowered = await makeShorts(browser, market, env, { hub, day });
  await declineCards(env, hub, day, lowered);
  /** File, address after the day's, what to do there. */
  const pictures: [string, string, (page: Page) => Promise<void>][] = [
    ["admin-day", "", see(/^Sheets,/)],
    ["admin-shorts", "/shorts", inTurn(pressFirstShort, waitForPlan)],
    ["admin-order", `/boxes/${lowered[0]}`, see("Money")],
    ["admin-door", "/door", tickMost],
  ];
  const light = { ...DESKTOP, colorScheme: "light" } as const;
  for (const [file, path, run] of pictures) {
    const screen: Screen = { name: file, as: "staff", path: `/admin/days/${hub}/${day}${path}`, run };
    await writePicture(file, await takeScreenshot(browser, screen, market, light));
  }
  const today: Screen = { name: "admin-today", as: "staff", path: "/admin" };
  await writePicture("admin-today", await takeScreenshot(browser, today, market, light));
  return README_PICTURES;
}
