import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { type Engine, expressionOf, NotInstalled } from "./engine.ts";
import { findProgram } from "./find-program.ts";

const START_MS = 60_000;

/** The address that Firefox prints when it listens. */
async function listeningAddress(child: ChildProcess): Promise<string> {
  const timeout = setTimeout(() => child.kill("SIGKILL"), START_MS);
  try {
    for await (const line of createInterface({ input: child.stderr! })) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address) return address;
    }
    throw new Error("Firefox ended before it listened.");
  } finally {
    clearTimeout(timeout);
  }
}

/** A WebDriver BiDi connection: commands by id over one WebSocket. */
async function connect(address: string) {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, "open");
  const pending = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void }>();
  socket.addEventListener("message", ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data));
    const waiting = pending.get(id);
    if (!waiting) return;
    pending.delete(id);
    if (type === "success") waiting.resolve(result);
    else waiting.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener("close", () => {
    for (const { reject } of pending.values()) reject(new Error("Firefox closed the connection."));
  });
  let last = 0;
  const send = (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      pending.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { send, close: () => socket.close() };
}

/**
 * Firefox over WebDriver BiDi, without a driver program. Playwright's own client needs commands that the extended support release
 * does not have. @throws NotInstalled
 */
export async function startFirefox(): Promise<Engine> {
  const program = process.env["FIREFOX_PATH"] ?? findProgram("firefox-esr", "firefox");
  if (!program) throw new NotInstalled("Firefox is not installed (Debian: firefox-esr; FIREFOX_PATH names one).");
  const profile = mkdtempSync(join(tmpdir(), "marketday-firefox-"));
  writeFileSync(
    join(profile, "user.js"),
    ["browser.shell.checkDefaultBrowser", "datareporting.policy.dataSubmissionEnabled", "app.update.enabled"]
      .map((name) => `user_pref("${name}", false);`)
      .join("\n"),
  );
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const { send, close } = await connect(await listeningAddress(child));
  child.stderr.resume();
  const { capabilities } = await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const context = contexts[0].context as string;
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    async goto(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(fn, ...params) {
      const { type, result, exceptionDetails } = await send("script.evaluate", {
        expression: expressionOf(fn, params),
        target: { context },
        awaitPromise: false,
      });
      if (type === "exception") throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    async clickAt({ x, y }) {
      await send("input.performActions", {
        context,
        actions: [
          {
            type: "pointer",
            id: "mouse",
            actions: [
              { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
              { type: "pointerDown", button: 0 },
              { type: "pointerUp", button: 0 },
            ],
          },
        ],
      });
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await send("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions }] });
    },
    async resize(viewport) {
      await send("browsingContext.setViewport", { context, viewport });
    },
    async screenshot() {
      const { data } = await send("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    async close() {
      await send("browser.close", {}).catch(() => undefined);
      close();
      if (child.exitCode === null) {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      }
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
