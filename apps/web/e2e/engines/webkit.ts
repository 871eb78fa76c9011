import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

import { type Engine, expressionOf, NotInstalled } from "./engine.ts";
import { findProgram } from "./find-program.ts";

const BROWSERS = "/usr/lib/*/webkit*gtk-*/MiniBrowser";
const START_TRIES = 100;
const PAUSE_MS = 100;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** A virtual screen, where there is none. Its number is the one that Xvfb chose. */
async function startScreen(): Promise<{ display: string; child: ChildProcess | null }> {
  const own = process.env["DISPLAY"];
  if (own) return { display: own, child: null };
  const program = findProgram("Xvfb");
  if (!program)
    throw new NotInstalled("WebKit needs a screen: DISPLAY is not set and Xvfb is not installed (Debian: xvfb).");
  const child = spawn(program, ["-displayfd", "3", "-screen", "0", "1600x1200x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = (await once(child.stdio[3]!, "data")) as [Buffer];
  return { display: `:${number.toString().trim()}`, child };
}

/** WebKitGTK by WebKitWebDriver: the engine of every iPhone, as far as it is shared. @throws NotInstalled */
export async function startWebKit(): Promise<Engine> {
  const driverProgram = findProgram("WebKitWebDriver");
  const [browser] = globSync(BROWSERS);
  if (!driverProgram || !browser)
    throw new NotInstalled("WebKit is not installed (Debian: webkit2gtk-driver, with MiniBrowser of libwebkit2gtk).");
  const { display, child: screen } = await startScreen();
  const port = await freePort();
  const driver = spawn(driverProgram, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_DMABUF_RENDERER: "1", LIBGL_ALWAYS_SOFTWARE: "1" },
    stdio: "ignore",
  });
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const { value } = (await response.json()) as { value: any };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const isReady = async () => (await call("GET", "/status")).ready as boolean;
  for (let tried = 0; !(await isReady().catch(() => false)); tried += 1) {
    if (tried === START_TRIES) throw new Error("WebKitWebDriver does not answer.");
    await setTimeout(PAUSE_MS);
  }
  const { sessionId, capabilities } = await call("POST", "/session", {
    capabilities: {
      alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } },
    },
  });
  const session = (method: string, path: string, body?: object) => call(method, `/session/${sessionId}${path}`, body);
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    async goto(url) {
      await session("POST", "/url", { url });
    },
    async evaluate(fn, ...args) {
      return JSON.parse(
        await session("POST", "/execute/sync", { script: `return ${expressionOf(fn, args)}`, args: [] }),
      );
    },
    async clickAt({ x, y }) {
      const move = { type: "pointerMove", duration: 0, origin: "viewport", x: Math.round(x), y: Math.round(y) };
      const actions = [move, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
      await session("POST", "/actions", {
        actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
      });
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await session("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    async resize({ width, height }) {
      // The window has a toolbar: its size is the viewport's and what is around it.
      await session("POST", "/window/rect", { width, height });
      const inner = JSON.parse(
        await session("POST", "/execute/sync", {
          script: "return JSON.stringify([innerWidth, innerHeight])",
          args: [],
        }),
      ) as [number, number];
      await session("POST", "/window/rect", { width: 2 * width - inner[0], height: 2 * height - inner[1] });
    },
    async screenshot() {
      return Buffer.from(await session("GET", "/screenshot"), "base64");
    },
    async close() {
      await session("DELETE", "").catch(() => undefined);
      for (const child of [driver, screen]) {
        if (!child || child.exitCode !== null) continue;
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      }
    },
  };
}
