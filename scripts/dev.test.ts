import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { createTestDatabase, quietPort } from "@marketday/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { environment, root } from "./lib/run.ts";

const home = mkdtempSync(join(tmpdir(), "marketday-dev-"));
const database = await createTestDatabase();
const running = new Set<ChildProcess>();
let said = "";
let web = "";
let api = "";
let dev: ChildProcess;

/** Waits until what was printed says it, from `from` on. */
async function says(words: RegExp, from = 0): Promise<RegExpExecArray> {
  for (;;) {
    const found = words.exec(stripVTControlCharacters(said).slice(from));
    if (found) return found;
    if (dev.exitCode !== null) throw new Error(`dev ended: ${said}`);
    await Promise.race([once(dev.stdout!, "data"), once(dev.stderr!, "data"), once(dev, "exit")]);
  }
}
const page = (path: string) =>
  fetch(web + path, { headers: { accept: "text/html" }, redirect: "manual" }).then(async (answer) => ({
    status: answer.status,
    location: answer.headers.get("location"),
    html: await answer.text(),
  }));
const bootOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="boot">([^]*?)<\/script>/.exec(html)?.[1] ?? "null");

beforeAll(async () => {
  const port = await quietPort("localhost");
  api = `http://localhost:${port}`;
  dev = spawn(process.execPath, [join(root, "scripts/dev.ts")], {
    cwd: home,
    env: environment({
      DATA_DIR: home,
      DATABASE_URL: database.url,
      DEMO: "off",
      PORT: String(port),
      MARKET_NAME: "Dev & Co",
      LOG_LEVEL: "info",
      NODE_ENV: "",
      npm_lifecycle_event: "",
    }),
    // A terminal's Ctrl-C goes to all of them; so does this group's.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(dev);
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on("data", (part: Buffer) => (said += part.toString()));
  web = (await says(/Local:\s+(http:\/\/localhost:\d+)\//))[1]!;
  await says(/Server listening/);
});
afterAll(async () => {
  for (const child of running) {
    const gone = once(child, "exit");
    process.kill(-child.pid!, "SIGKILL");
    await gone;
  }
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

test("pages come from Vite with the server's data in them, without anything built", async () => {
  const shop = await page("/shop");
  expect(shop.status).toBe(200);
  expect(shop.html).toContain('src="/@vite/client"');
  expect(shop.html).toContain('src="/src/main.tsx"');
  expect(bootOf(shop.html).config.marketName).toBe("Dev & Co");
  const frame = await page("/embed/checkout");
  expect(frame.html).toContain('src="/src/frames/main.tsx"');
  expect(bootOf(frame.html).config.marketName).toBe("Dev & Co");
  expect((await page("/nothing-here")).html).toContain('src="/src/main.tsx"');
});

test("the API, pictures and plain pages are the server's", async () => {
  expect(await (await fetch(`${web}/api/hubs`)).json()).toEqual([]);
  expect(await (await fetch(`${web}/version.json`)).json()).toHaveProperty("build");
  expect(await page("/")).toMatchObject({ status: 302, location: "/shop" });
  const plain = await page("/dev/mails");
  expect([plain.status, plain.html.includes("/@vite/client")]).toEqual([200, false]);
  const sent = await fetch(`${web}/unsubscribe/nothing`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect([sent.status, await sent.text()]).toEqual([404, expect.stringContaining("This link does not work")]);
});

/** As if it had been saved again. */
const touch = (file: string) => utimesSync(join(root, file), new Date(), new Date());
/** Saves it again every so many ms, as whoever watches may have been looking elsewhere, until somebody says so. */
async function touchUntil(file: string, again: number, heard: () => boolean): Promise<void> {
  let touched = -Infinity;
  await expect
    .poll(
      () => {
        if (heard()) return true;
        if (performance.now() - touched > again) {
          touch(file);
          touched = performance.now();
        }
        return false;
      },
      { interval: 50, timeout: 300_000 },
    )
    .toBe(true);
}

test("a saved file reaches the open page, and starts the server again", async () => {
  await page("/embed/checkout");
  const client = await (await fetch(`${web}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? "";
  await (await fetch(`${web}/src/frames/main.tsx`)).text();
  const socket = new WebSocket(`${web.replace("http", "ws")}/?token=${token}`, "vite-hmr");
  const messages: { type: string }[] = [];
  socket.addEventListener("message", ({ data }) => void messages.push(JSON.parse(String(data)) as { type: string }));
  await expect.poll(() => messages[0], { timeout: 120_000 }).toEqual({ type: "connected" });
  const isNews = ({ type }: { type: string }) => type === "update" || type === "full-reload";
  await touchUntil("apps/web/src/frames/main.tsx", 2_000, () => messages.some(isNews));
  socket.close();

  const starts = () => [...said.matchAll(/Server listening/g)].length;
  const before = starts();
  await touchUntil("apps/server/src/main.ts", 60_000, () => starts() > before);
  // It may have been told twice, and be starting once more.
  await expect.poll(() => fetch(`${api}/healthz`).then(({ status }) => status, String), { timeout: 120_000 }).toBe(200);
});

test("Ctrl-C stops all of it", async () => {
  const ended = once(dev, "exit");
  process.kill(-dev.pid!, "SIGINT");
  expect((await ended)[0]).toBe(0);
  running.delete(dev);
  await expect(fetch(`${web}/shop`)).rejects.toThrow("fetch failed");
  await expect(fetch(`${api}/healthz`)).rejects.toThrow("fetch failed");
  // Nobody of the group is left, once whoever adopted the last of them has looked after it.
  const isLeft = () => {
    try {
      return process.kill(-dev.pid!, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  await expect.poll(isLeft, { timeout: 60_000 }).toBe("ESRCH");
});
