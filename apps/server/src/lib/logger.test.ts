import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { pathForLog } from "./logger.ts";

const run = promisify(execFile);

/** Log lines on the standard output of a process that runs the script. */
async function linesOf(script: string): Promise<Record<string, unknown>[]> {
  const setup = `import { createLogger, lazyChild, requestLines } from ${JSON.stringify(new URL("logger.ts", import.meta.url).href)};
    const log = createLogger("info", false);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", `${setup}\n${script}`]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Secrets that cannot occur in a time or a process id by chance. */
const statements = `const write = requestLines(log);
  write({ reqId: "r1", method: "GET", path: '/a"b', status: 200, ms: 3 });
  log.info({ user: { password: "hunter2" }, token: "t0p-secret" }, "middle");
  write({ reqId: "r2", method: "PUT", path: "/c", status: 409, ms: 4, db: 2 });`;

test.each([
  ["ends", ""],
  ["exits", "process.exit(0);"],
  ["fails", 'throw new Error("boom");'],
])("logger: every line is written, in order, when the process %s", async (_name, end) => {
  const lines = await linesOf(`${statements}\n${end}`);
  expect(lines).toMatchObject([
    { level: 30, reqId: "r1", method: "GET", path: '/a"b', status: 200, ms: 3, msg: "request" },
    { level: 30, msg: "middle" },
    { level: 30, reqId: "r2", method: "PUT", path: "/c", status: 409, ms: 4, db: 2, msg: "request" },
  ]);
  for (const line of lines) expect(line).toMatchObject({ pid: expect.any(Number), time: expect.any(Number) });
});

test("logger: secrets are redacted, also by a request's logger", async () => {
  const lines = await linesOf(
    `${statements}
    log.info({ headers: { authorization: "Bearer mkt_my-api-key" }, created: { secret: "mkt_my-api-key" } }, "key");
    lazyChild(log, { reqId: "r3" }).warn({ body: { card: { number: "my-card-number" } } }, "own");`,
  );
  expect(JSON.stringify(lines)).not.toMatch(/hunter2|t0p-secret|my-api-key|my-card-number/);
  expect(lines.at(-1)).toMatchObject({ reqId: "r3", level: 40, msg: "own" });
});

test("logger: a request's logger has the level of its parent and creates children", async () => {
  const lines = await linesOf(
    `const own = lazyChild(log, { reqId: "r4" }); own.debug("no"); own.child({ part: "x" }).info(own.level);`,
  );
  expect(lines).toMatchObject([{ reqId: "r4", part: "x", msg: "info" }]);
});

test("logger: no request lines at a level above info", async () => {
  expect(
    await linesOf(
      `requestLines(createLogger("warn", false))({ reqId: "r", method: "GET", path: "/", status: 200, ms: 1 });`,
    ),
  ).toEqual([]);
});

test.each([
  ["/shop?q=1", "/shop"],
  ["/answer/0000.secret", "/answer/…"],
  ["/farm/0000.secret", "/farm/…"],
  ["/unsubscribe/secret", "/unsubscribe/…"],
  ["/password-reset/secret?x=1", "/password-reset/…"],
  ["/api/auth/reset/secret", "/api/auth/reset/…"],
  ["/admin/invite/secret", "/admin/invite/…"],
  ["/api/admin/invites/secret/passkey/options", "/api/admin/invites/…/passkey/options"],
  ["/answers/0", "/answers/0"],
])("%s is logged as %s", { tags: ["fail:F20", "fail:L7"] }, (url, logged) => {
  expect(pathForLog(url)).toBe(logged);
});

test("logger: data of a request never creates a separate line", { tags: ["fail:L7"] }, async () => {
  const forged = '/shop\\n{"level":60,"msg":"all is well"}\\u2028\\r\\u0000"}';
  const lines = await linesOf(`const path = "${forged.replaceAll('"', '\\"')}";
    requestLines(log)({ reqId: "r5", method: "GET", path, status: 404, ms: 1 });
    log.warn({ body: { name: path }, err: new Error(path) }, path);`);
  expect(lines.map(({ level, msg }) => [level, String(msg).startsWith("/shop") || msg])).toEqual([
    [30, "request"],
    [40, true],
  ]);
  expect(lines[0]).toMatchObject({ reqId: "r5", path: expect.stringContaining('\n{"level":60') });
});
