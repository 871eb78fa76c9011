import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Env, loadEnv } from "@marketday/server/env";

import { startBrowser } from "./lib/browser.ts";
import { openDatabase } from "./lib/database.ts";
import { ensureDemo, ensureDemoStaff } from "./lib/demo.ts";
import { Lifetime } from "./lib/lifetime.ts";
import { adminScreens, signInOwner } from "./lib/screens/admin.ts";
import { serveGallery, takeGallery } from "./lib/screens/gallery.ts";
import { screensOf } from "./lib/screens/index.ts";
import { openReadmeMarket, takeReadmePictures } from "./lib/screens/readme.ts";
import { findScreenData, takeScreenshot } from "./lib/screens/take.ts";
import { buildWeb } from "./lib/web-build.ts";

/**
 * `pnpm screenshots [screen …]`: screenshots of all or the given screens at four widths, light and dark, in `var/screenshots`.
 * The screen `gallery` is every component of the kit, without a market.
 * `pnpm screenshots readme`: the pictures of the README, from a demo market that is made for them.
 */
const sizes = [
  { width: 360, height: 780, touch: true },
  { width: 768, height: 1024, touch: true },
  { width: 1280, height: 860, touch: false },
  { width: 1600, height: 1000, touch: false },
] as const;
const schemes = ["light", "dark"] as const;

const requested = new Set(process.argv.slice(2));
const isRequested = ({ name }: { name: string }) => requested.size === 0 || requested.has(name);
const isReadme = requested.has("readme");

const life = new Lifetime();

/** Starts a server on the market of these settings, filled with the demo, and a browser. */
async function openMarket(env: Env) {
  const database = await life.hold(openDatabase(env, { log: console.log }), ({ close }) => close());
  const shoppers = await ensureDemo(env, database.url, new Date());
  await ensureDemoStaff(env, database.url, new Date());
  await buildWeb(console.log);
  const { startServer } = await import("@marketday/server/main");
  const quietEnv = {
    ...env,
    port: 0,
    host: "127.0.0.1",
    publicUrl: null,
    rateLimits: false,
    logLevel: "error" as const,
  };
  const { address } = await life.hold(startServer(quietEnv, { databaseUrl: database.url }), ({ close }) => close());
  const browser = await life.hold(startBrowser(), (started) => started.close());
  const data = await findScreenData(browser, address, shoppers?.[0], env.specialHubId);
  return { browser, market: { ...data, staff: await signInOwner(database.url, env) } };
}

/** Pictures of the kit's gallery. */
async function takeKit(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { address } = await life.hold(serveGallery(), ({ close }) => close());
  const browser = await life.hold(startBrowser(), (started) => started.close());
  for (const { width, height, touch } of sizes)
    for (const scheme of schemes) {
      const view = { viewport: { width, height }, hasTouch: touch, colorScheme: scheme };
      for (const [name, picture] of await takeGallery(browser, address, view))
        writeFileSync(join(folder, `${name}-${width}-${scheme}.png`), picture);
    }
  console.log("gallery done");
}

async function takeEveryScreen(env: Env): Promise<string> {
  const folder = join(env.dataDir, "screenshots");
  if (requested.size === 0) rmSync(folder, { recursive: true, force: true });
  if (isRequested({ name: "gallery" })) await takeKit(folder);
  if (requested.delete("gallery") && requested.size === 0) return folder;
  const { browser, market } = await openMarket(env);
  const screens = [...screensOf(market), ...adminScreens(market)];
  for (const name of requested)
    if (!screens.some((screen) => screen.name === name))
      throw new Error(
        `There is no screen ${name}. Screens: readme, gallery, ${screens.map((screen) => screen.name).join(", ")}.`,
      );
  mkdirSync(folder, { recursive: true });
  for (const { width, height, touch } of sizes) {
    for (const scheme of schemes)
      for (const screen of screens.filter(isRequested)) {
        const view = { viewport: { width, height }, hasTouch: touch, colorScheme: scheme };
        const picture = await takeScreenshot(browser, screen, market, view);
        writeFileSync(join(folder, `${screen.name}-${width}-${scheme}.png`), picture);
      }
    console.log(`${width} px done`);
  }
  return folder;
}

/** In a temporary market: one command on any day, whatever the settings and the market of this machine are. */
async function takeReadme(): Promise<string> {
  if (requested.size > 1) throw new Error("The pictures of the README are made alone: pnpm screenshots readme");
  const { env } = await life.hold(openReadmeMarket(), ({ close }) => close());
  return takeReadmePictures(await openMarket(env), env);
}

try {
  const folder = await (isReadme ? takeReadme() : takeEveryScreen(loadEnv()));
  console.log(`Screenshots are in ${folder}.`);
  await life.end(0);
} catch (error) {
  console.error(error);
  await life.end(1);
}
