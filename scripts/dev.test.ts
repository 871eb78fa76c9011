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
let output = "";
let web = "";
let admin = "";
let api = "";
let dev: ChildProcess;

/** Waits until the output from position `from` matches. */
async function waitForOutput(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(stripVTControlCharacters(output).slice(from));
    if (match) return match;
    if (dev.exitCode !== null) throw new Error(`dev ended: ${output}`);
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
    // A process group: Ctrl-C in a terminal also reaches all processes.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(dev);
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on("data", (part: Buffer) => (output += part.toString()));
  web = (await waitForOutput(/Local:\s+(http:\/\/localhost:\d+)\/\s/))[1]!;
  admin = (await waitForOutput(/Local:\s+(http:\/\/localhost:\d+)\/admin\/\s/))[1]!;
  await waitForOutput(/Server listening/);
});
afterAll(async () => {
  for (const child of running) {
    const exited = once(child, "exit");
    process.kill(-child.pid!, "SIGKILL");
    await exited;
  }
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

test("dev: pages are served by Vite with the server's data, without a build", async () => {
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

test("dev: the API, pictures and plain pages are served by the server", async () => {
  // A server that has just started on a busy machine may be overloaded: 503 for a moment.
  const json = async (path: string): Promise<unknown> => (await fetch(web + path)).json();
  await expect.poll(() => json("/api/hubs")).toEqual([]);
  await expect.poll(() => json("/version.json")).toHaveProperty("build");
  await expect.poll(() => page("/")).toMatchObject({ status: 302, location: "/shop" });
  const plain = await page("/dev/mails");
  expect([plain.status, plain.html.includes("/@vite/client")]).toEqual([200, false]);
  const sent = await fetch(`${web}/unsubscribe/nothing`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect([sent.status, await sent.text()]).toEqual([404, expect.stringContaining("This link does not work")]);
});

test("dev: the admin app is served by a second Vite, which forwards its calls to the server", async () => {
  const answer = await fetch(`${admin}/admin/staff`, { headers: { accept: "text/html" } });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('src="/admin/src/main.tsx"')]);
  await expect.poll(async () => (await fetch(`${admin}/api/hubs`)).json()).toEqual([]);
});

/** Updates a file's modification time, as saving it does. */
const touch = (file: string) => utimesSync(join(root, file), new Date(), new Date());
/** Touches a file every `intervalMs`, because a watcher can miss a change, until `isDone`. */
async function touchUntil(file: string, intervalMs: number, isDone: () => boolean): Promise<void> {
  let touched = -Infinity;
  await expect
    .poll(
      () => {
        if (isDone()) return true;
        if (performance.now() - touched > intervalMs) {
          touch(file);
          touched = performance.now();
        }
        return false;
      },
      { interval: 50, timeout: 300_000 },
    )
    .toBe(true);
}

test("dev: saving a file updates the open page, and restarts the server", async () => {
  await page("/embed/checkout");
  const client = await (await fetch(`${web}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? "";
  await (await fetch(`${web}/src/frames/main.tsx`)).text();
  const socket = new WebSocket(`${web.replace("http", "ws")}/?token=${token}`, "vite-hmr");
  const messages: { type: string }[] = [];
  socket.addEventListener("message", ({ data }) => void messages.push(JSON.parse(String(data)) as { type: string }));
  await expect.poll(() => messages[0], { timeout: 120_000 }).toEqual({ type: "connected" });
  const isUpdate = ({ type }: { type: string }) => type === "update" || type === "full-reload";
  await touchUntil("apps/web/src/frames/main.tsx", 2_000, () => messages.some(isUpdate));
  socket.close();

  const starts = () => [...output.matchAll(/Server listening/g)].length;
  const before = starts();
  await touchUntil("apps/server/src/main.ts", 60_000, () => starts() > before);
  // Two changes can restart it twice: wait until it is up.
  await expect.poll(() => fetch(`${api}/healthz`).then(({ status }) => status, String), { timeout: 120_000 }).toBe(200);
});

test("dev: Ctrl-C stops all processes", async () => {
  const ended = once(dev, "exit");
  process.kill(-dev.pid!, "SIGINT");
  expect((await ended)[0]).toBe(0);
  running.delete(dev);
  await expect(fetch(`${web}/shop`)).rejects.toThrow("fetch failed");
  await expect(fetch(`${api}/healthz`)).rejects.toThrow("fetch failed");
  // The process group is empty once the last process has been reaped.
  const isLeft = () => {
    try {
      return process.kill(-dev.pid!, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  await expect.poll(isLeft, { timeout: 60_000 }).toBe("ESRCH");
});
