import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, BrowserContextOptions } from "@playwright/test";

import { root } from "../run.ts";

/** Vite as far as it is used here: it is a dependency of the kit's. */
interface Vite {
  createServer(options: { configFile: string; server: { port: number }; logLevel: "error" }): Promise<{
    listen(): Promise<unknown>;
    resolvedUrls: { local: string[] } | null;
    close(): Promise<void>;
  }>;
}

/** Serves the gallery of the kit, on any free port. */
export async function serveGallery(): Promise<{ address: string; close: () => Promise<void> }> {
  const kit = join(root, "packages/ui");
  const entry = createRequire(join(kit, "package.json")).resolve("vite");
  const { createServer } = (await import(pathToFileURL(entry).href)) as Vite;
  const configFile = join(kit, "gallery/vite.config.ts");
  const server = await createServer({ configFile, server: { port: 0 }, logLevel: "error" });
  await server.listen();
  return { address: server.resolvedUrls?.local[0] ?? "", close: () => server.close() };
}

/** Pictures of the whole gallery and of its dialogs, PNG, by their name. */
export async function takeGallery(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
): Promise<Map<string, Buffer>> {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole("heading", { name: "The kit" }).waitFor();
    // Pictures are fetched when they come near.
    const pictures = page.getByRole("img", { name: "Two tomatoes on a table" });
    for (const place of await page.getByRole("figure").all()) await place.scrollIntoViewIfNeeded();
    await pictures.last().waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForLoadState("networkidle");
    const taken = new Map([["gallery", await page.screenshot({ fullPage: true })]]);
    for (const opener of await page.getByRole("button", { name: /^\w+ dialog$/ }).all()) {
      const name = `gallery-${(await opener.innerText()).toLowerCase().replace(" ", "-")}`;
      await opener.click();
      await page.getByRole("dialog").waitFor();
      await page.evaluate(
        "Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)",
      );
      taken.set(name, await page.screenshot());
      await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    }
    return taken;
  } finally {
    await context.close();
  }
}
