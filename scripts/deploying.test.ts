import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { request as requestTls } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { quietPort } from "@marketday/db/testing";
import { parseEnv } from "@marketday/server/env";
import { buildTestApp } from "@marketday/server/testing/app";
import { START_OPTIONS, START_VARIABLES } from "@marketday/server/testing/start-settings";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { root } from "./lib/run.ts";
import { commandLines, filesOf, shellLines, splitCommandLine } from "./test/command-lines.ts";
import { operatedMarket } from "./test/market.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/deploying.md");
const lines = shellLines(page);
const compose = parse(read("docker-compose.yml"), { merge: true }) as {
  services: Record<string, { environment?: Record<string, string> }>;
};

const dir = mkdtempSync(join(tmpdir(), "marketday-deploy-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const has = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
/** Runs a linter. Returns its complaints, or "". */
function complaints(program: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    input,
    encoding: "utf8",
    env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  });
  return status === 0 ? "" : `${program} ended with ${status}: ${stdout}${stderr}`;
}

describe("docs/deploying.md", () => {
  test("deploying.md: every market command line without Docker works", async () => {
    const market = await operatedMarket();
    const bare = commandLines(page, "market ");
    const asUser = lines.flatMap((line) => (line.startsWith("sudo -u marketday ") ? [line.slice(18)] : []));
    const commands = [...bare.filter((line) => line !== "market "), ...asUser];
    expect(commands.map((line) => splitCommandLine(line)[1])).toEqual(expect.arrayContaining(["backup", "doctor"]));
    for (const line of commands) {
      // Names of backups have seconds: retry until the name is free.
      await expect
        .poll(() => market.run(...splitCommandLine(line).slice(1)), { timeout: 10_000 })
        .toMatchObject({ code: 0, err: "" });
    }
  });

  // image.test.ts runs them in the image at its larger sizes.
  test("deploying.md: every market command in a Docker Compose line exists, with its options", async () => {
    const market = await operatedMarket();
    const inDocker = lines.flatMap((line) =>
      line.startsWith("docker compose ") ? line.split(" market ").slice(1) : [],
    );
    expect(inDocker.length).toBeGreaterThan(9);
    for (const line of inDocker) {
      const { code, out } = await market.run(...splitCommandLine(line), "--help");
      // The help of a group has the usage `market hubs [options] [command]`.
      expect({ line, code, out }).toEqual({ line, code: 0, out: expect.not.stringContaining("[command]") });
      for (const word of splitCommandLine(line)) if (word.startsWith("--")) expect(out).toContain(`  ${word}`);
    }
  });

  test("deploying.md: every Docker Compose line has services of docker-compose.yml", () => {
    const docker = lines.filter((line) => line.startsWith("docker compose "));
    expect(docker.length).toBeGreaterThan(12);
    for (const line of docker) {
      const [, , ...words] = splitCommandLine(line.split(" market ")[0]!);
      const [verb, ...rest] = words.filter((word, place) => word !== "--profile" && words[place - 1] !== "--profile");
      expect({ line, verb }).toEqual({ line, verb: expect.stringMatching(/^(up|build|stop|exec|run)$/) });
      const named = rest.filter((word) => !word.startsWith("-"));
      // The arguments after the service are the command that runs in it.
      const services = verb === "exec" || verb === "run" ? named.slice(0, 1) : named;
      expect({ line, unknown: services.filter((name) => !(name in compose.services)) }).toEqual({ line, unknown: [] });
    }
  });

  test("deploying.md: its settings are accepted in production", () => {
    const [, text] = filesOf(page).find(([name]) => name === ".env")!;
    const settings = Object.fromEntries(
      text
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
        .map(([name, value]) => [name, value === "RANDOM" ? randomBytes(32).toString("hex") : value]),
    );
    expect(parseEnv(settings)).toMatchObject({ production: true, host: "127.0.0.1", marketName: "Carmel Market" });
    // The settings for Docker exist.
    for (const [, name] of page.slice(0, page.indexOf("**TLS.**")).matchAll(/`([A-Z_]{6,})`/g))
      expect(read(".env.example") + read("docker-compose.yml")).toContain(name);
  });

  test("deploying.md: every file it names exists, and every example file is named", () => {
    const named = new Set(
      [...page.matchAll(/deploy\/[\w./-]*\w/g)].map(([path]) => path).filter((path) => !path.includes("*")),
    );
    const files = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    const elsewhere = `${read("docker-compose.yml")}${read("Dockerfile")}`;
    expect([...named].filter((path) => !files.includes(path))).toEqual([]);
    expect(
      files.filter((path) => !named.has(path) && !elsewhere.includes(path) && !path.startsWith("deploy/container/")),
    ).toEqual([]);
    expect(read("README.md")).toContain("(docs/deploying.md)");
  });

  test("deploying.md: links to other pages and headings work", () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    expect(links.length).toBeGreaterThan(6);
    for (const [, path, anchor] of links) {
      expect({ path, exists: existsSync(join(root, "docs", path!)) }).toEqual({ path, exists: true });
      if (anchor === undefined) continue;
      const text = path ? read(`docs/${path}`) : page;
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, "")
          .replaceAll(/\s/g, "-"),
      );
      expect({ path, anchor, headings }).toEqual({ path, anchor, headings: expect.arrayContaining([anchor]) });
    }
  });
});

describe("alerts", () => {
  const { groups } = parse(read("deploy/alerts.yml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  test("alerts: every rule is in the page's table, and uses existing metrics", async () => {
    expect([...page.matchAll(/^\| `(Marketday\w+)` \|/gm)].map(([, name]) => name)).toEqual(
      rules.map(({ alert }) => alert),
    );
    const { app } = await buildTestApp();
    await app.inject({ url: "/api/hubs" });
    await app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
    const { body } = await app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
    const keyword = /^(sum|rate|max|by|le|histogram_quantile|instance|job|status|kind|state)$/;
    for (const { alert, expr } of rules) {
      const names = [...expr.replaceAll(/"[^"]*"|\[[^\]]*\]/g, "").matchAll(/[a-z_][a-z0-9_]*/g)].map(([name]) => name);
      const series = names.filter((name) => !keyword.test(name) && name !== "up");
      expect({ alert, missing: series.filter((name) => !new RegExp(`^${name}[{ ]`, "m").test(body)) }).toEqual({
        alert,
        missing: [],
      });
    }
  });
});

describe("linters, if installed", () => {
  test.runIf(has("shellcheck"))("shellcheck: accepts the scripts and the command lines of the page", () => {
    const scripts = [
      "deploy/market",
      ...readdirSync(join(root, "deploy/container")).map((name) => `deploy/container/${name}`),
    ];
    expect(
      complaints(
        "shellcheck",
        scripts.map((path) => join(root, path)),
      ),
    ).toBe("");
    // Without cd: the blocks run in different folders, and the reader sees a failed cd.
    const blocks = lines.filter((line) => !line.startsWith("cd ")).join("\n");
    expect(complaints("shellcheck", ["--shell=sh", "-"], `${blocks}\n`)).toBe("");
  });

  test("systemd unit: starts the server with the memory settings of `pnpm start`", () => {
    const unit = read("deploy/systemd/marketday.service").split("\n");
    const start = unit.find((line) => line.startsWith("ExecStart="))!.split(" ");
    expect(START_OPTIONS.map((option) => option.split("=")[0])).toEqual(["--max-semi-space-size"]);
    expect(start.slice(1)).toEqual([...START_OPTIONS, "/opt/marketday/scripts/start.ts"]);
    expect(unit.filter((line) => line.startsWith("Environment="))).toEqual(
      Object.entries(START_VARIABLES).map(([name, value]) => `Environment=${name}=${value}`),
    );
  });

  test.runIf(has("systemd-analyze"))("systemd-analyze: accepts the units", () => {
    const units = readdirSync(join(root, "deploy/systemd"));
    const folder = join(dir, "units");
    mkdirSync(folder);
    for (const name of units) {
      const text = read(`deploy/systemd/${name}`).replaceAll(/^(ExecStart=)\/(?:opt|usr\/local)\/\S+/gm, "$1/bin/true");
      writeFileSync(join(folder, name), text);
    }
    const { status, stdout, stderr } = spawnSync(
      "systemd-analyze",
      ["verify", "--man=no", "--recursive-errors=no", ...units.map((name) => join(folder, name))],
      { encoding: "utf8" },
    );
    // Only complaints about our units count: a machine without a running systemd has others.
    const ours = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("marketday"));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
    for (const [, path] of units.flatMap((name) => [...read(`deploy/systemd/${name}`).matchAll(/^ExecStart=(\S+)/gm)]))
      expect(["/opt/marketday/node_modules/node/bin/node", "/usr/local/bin/market"]).toContain(path);
  });

  test.runIf(has("caddy"))("caddy: accepts both Caddyfiles", () => {
    for (const name of ["Caddyfile", "balancer.Caddyfile"]) {
      const { status, stderr } = spawnSync(
        "caddy",
        ["validate", "--adapter", "caddyfile", "--config", join(root, "deploy", name)],
        {
          encoding: "utf8",
          env: {
            ...process.env,
            ...compose.services["balancer"]!.environment,
            HOME: dir,
            XDG_DATA_HOME: dir,
            XDG_CONFIG_HOME: dir,
          },
        },
      );
      expect({ name, status, stderr }).toMatchObject({ name, status: 0 });
    }
  });

  test.runIf(has("nginx") && has("openssl"))("nginx: accepts the site", async () => {
    expect(complaints("nginx", ["-t", "-q", "-p", dir, "-c", (await nginxConfig(3000)).file])).toBe("");
  });
});

/** Writes deploy/nginx.conf with free ports, a self-signed certificate, and the server at port `upstream`. */
async function nginxConfig(upstream: number): Promise<{ file: string; port: number }> {
  const [certificate, key] = [join(dir, "site.pem"), join(dir, "site.key")];
  const subject = ["-subj", "/CN=localhost", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject], {
    stdio: "ignore",
  });
  const [http, https] = [await quietPort(), await quietPort()];
  const site = read("deploy/nginx.conf")
    .replaceAll(/ *listen \[::\]:.*\n/g, "")
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ", `listen 127.0.0.1:${https} `)
    .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  const file = join(dir, "nginx.conf");
  writeFileSync(
    file,
    `pid ${dir}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path ${dir}/body;\nproxy_temp_path ${dir}/proxy;\n${site}}\n`,
  );
  return { file, port: https };
}

describe("proxy examples", () => {
  const headersSeen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headersSeen.push(request.headers);
    response.end("from the server");
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const upstream = async (): Promise<number> => {
    if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  };
  const get = async (from: typeof requestTls | typeof request, port: number, path: string) => {
    const sent = from({
      host: "127.0.0.1",
      port,
      path,
      rejectUnauthorized: false,
      headers: { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7" },
    });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
  /** Starts a proxy, sends requests with forged headers, and stops it. Returns the headers that the server received. */
  async function check(program: string, args: string[], from: typeof requestTls | typeof request, port: number) {
    const child = spawn(program, args, {
      stdio: "ignore",
      env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    });
    const exited = once(child, "exit");
    try {
      await expect.poll(() => get(from, port, "/").catch(() => null)).toEqual({ status: 200, body: "from the server" });
      const before = headersSeen.length;
      expect(await get(from, port, "/metrics")).toMatchObject({ status: 404 });
      expect(headersSeen.length).toBe(before);
      return headersSeen.at(-1)!;
    } finally {
      child.kill();
      await exited;
    }
  }

  test.runIf(has("caddy"))("Caddy: a forged X-Forwarded-For is replaced, /metrics is not passed on", async () => {
    const port = await quietPort();
    const file = join(dir, "Caddyfile");
    const site = read("deploy/Caddyfile")
      .replace("market.example.org {", `http://127.0.0.1:${port} {`)
      .replace("127.0.0.1:3000", `127.0.0.1:${await upstream()}`);
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
    const seen = await check("caddy", ["run", "--config", file, "--adapter", "caddyfile"], request, port);
    expect(seen["x-forwarded-for"]).toBe("127.0.0.1");
  });

  test.runIf(has("nginx") && has("openssl"))(
    "nginx: a forged X-Forwarded-For is replaced, Forwarded is dropped, /metrics is not passed on",
    async () => {
      const { file, port } = await nginxConfig(await upstream());
      const seen = await check("nginx", ["-p", dir, "-c", file, "-g", "daemon off;"], requestTls, port);
      expect(seen).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https" });
      expect(seen.forwarded).toBeUndefined();
    },
  );
});

test("market wrapper: runs the checkout's command as user marketday, with the caller's name as operator", () => {
  // Stubs of `sudo` and the checkout's programs print their arguments.
  const bin = join(dir, "bin");
  mkdirSync(bin);
  cpSync(join(root, "deploy/market"), join(bin, "market"));
  const stub = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  stub("sudo", 'echo "sudo $*"');
  stub("id", "echo ada");
  const run = (env: Record<string, string>): string =>
    execFileSync(join(bin, "market"), ["backup", "--keep", "14"], {
      encoding: "utf8",
      env: { PATH: `${bin}:${process.env["PATH"]}`, ...env },
    });
  expect(run({})).toBe(`sudo -u marketday MARKET_OPERATOR=ada ${bin}/market backup --keep 14\n`);
  expect(run({ MARKET_OPERATOR: "rosa" })).toContain("MARKET_OPERATOR=rosa");
});
