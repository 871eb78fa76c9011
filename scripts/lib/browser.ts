import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

import { type Browser, chromium } from "@playwright/test";

import { root } from "./run.ts";

/** Not the flags of the npm package: those run everything in one process with web security off. */
export const browserFlags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

/** An installed Chrome or Chromium. */
function findInstalled(): string | undefined {
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    process.env["CHROME_PATH"] ?? "",
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  return candidates.find((path) => path !== "" && existsSync(path));
}

/** The path of CHROME_PATH, an installed Chrome or Chromium, Playwright's browser, or the one of the npm package. */
export async function findBrowser(): Promise<string> {
  const installed = findInstalled() ?? [chromium.executablePath()].find((path) => existsSync(path));
  if (installed) return installed;
  const entry = createRequire(join(root, "apps/web/package.json")).resolve("@sparticuz/chromium");
  const { default: packed } = (await import(pathToFileURL(entry).href)) as {
    default: { executablePath(): Promise<string> };
  };
  return packed.executablePath();
}

/** Starts a headless browser. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findBrowser(), args: browserFlags });
}
