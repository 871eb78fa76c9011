import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sealOf } from "@marketday/server/modules/backup/manifest";
import { backupName } from "@marketday/server/modules/backup/prune-backups";
import { beforeEach, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const folder = join(market.dir, "kept");
const template = join(market.dir, "template");
await market.json("backup", template);

/** A complete backup dated `instant`. */
function backupOf(instant: string): string {
  const name = backupName(new Date(instant));
  const path = join(folder, name);
  cpSync(template, path, { recursive: true });
  const text = readFileSync(join(path, "manifest.json"), "utf8").replace(
    /"takenAt": "[^"]+"/,
    `"takenAt": "${new Date(instant).toISOString()}"`,
  );
  writeFileSync(join(path, "manifest.json"), text);
  writeFileSync(join(path, "manifest.sha256"), sealOf(text));
  return name;
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

interface BackupResult {
  folder: string;
  pruned: { kept: string[]; deleted: string[]; damaged: string[] };
}
const backUp = async (keep: number): Promise<BackupResult & { made: string }> => {
  const result = await market.json<BackupResult>("backup", "--into", folder, "--keep", String(keep));
  return { ...result, made: result.folder.slice(folder.length + 1) };
};

test("backup --keep: the newest complete backups stay, older ones and leftovers are deleted, folders with other names stay", async () => {
  const [first, second, third] = [
    backupOf("2026-01-01T03:30:00Z"),
    backupOf("2026-01-02T03:30:00Z"),
    backupOf("2026-01-03T03:30:00Z"),
  ];
  cpSync(template, join(folder, "opening"), { recursive: true });
  for (const leftover of ["2026-01-04T033000Z.partial", "2025-12-31T033000Z.deleting"])
    mkdirSync(join(folder, leftover));
  const running = `${backupName(new Date(Date.now() - 3_600_000))}.partial`;
  mkdirSync(join(folder, running));

  const { made, pruned } = await backUp(2);
  expect(pruned).toEqual({ kept: [made, third], deleted: [second, first], damaged: [] });
  expect(readdirSync(folder).toSorted()).toEqual([third, made, running, "opening"].toSorted());
  // A backup that was kept can be restored.
  expect(await market.json("restore", join(folder, third), "--dry-run")).toMatchObject({ problems: [] });
});

test("backup --keep: damaged backups are not counted and not deleted, so that enough good ones are kept", async () => {
  const good = backupOf("2026-01-01T03:30:00Z");
  const truncated = backupOf("2026-01-02T03:30:00Z");
  writeFileSync(join(folder, truncated, "tables/hub.tsv.gz"), "");
  const withoutManifest = backupOf("2026-01-03T03:30:00Z");
  rmSync(join(folder, withoutManifest, "manifest.json"));

  const { made, pruned } = await backUp(2);
  expect(pruned).toMatchObject({ kept: [made, good], deleted: [] });
  expect(pruned.damaged.toSorted()).toEqual([truncated, withoutManifest]);
  expect(readdirSync(folder).length).toBe(4);
  // Names have seconds: the next backup needs a later one.
  await expect
    .poll(async () => (await market.run("backup", "--into", folder, "--keep", "5")).out)
    .toContain(`${truncated} is not a complete backup. It was kept`);
});

test("backup --keep: the new backup stays when a wrong clock gave an older one a later date", async () => {
  const later = backupOf("2199-01-01T00:00:00Z");
  const { made, pruned } = await backUp(1);
  expect(pruned).toEqual({ kept: [made], deleted: [later], damaged: [] });
});

test("backup --keep: a backup that fails deletes nothing", async () => {
  const old = [backupOf("2026-01-01T03:30:00Z"), backupOf("2026-01-02T03:30:00Z")];
  // The names of the next ten minutes are in use.
  for (let second = 0; second < 600; second += 1)
    mkdirSync(join(folder, backupName(new Date(Date.now() + second * 1000))), { recursive: true });
  const before = readdirSync(folder);
  expect(await market.run("backup", "--into", folder, "--keep", "1")).toMatchObject({
    code: 1,
    err: expect.stringContaining("exists already; nothing was written."),
  });
  expect(readdirSync(folder)).toEqual(before);
  for (const name of old) expect(existsSync(join(folder, name, "manifest.json"))).toBe(true);
});

test("backup: --keep with a folder name, or --keep 0, is refused before anything is written", async () => {
  const namedFolder = join(folder, "monday");
  expect(await market.run("backup", namedFolder, "--keep", "3")).toMatchObject({
    code: 2,
    err: expect.stringContaining("leave the folder's name out. Nothing was done."),
  });
  expect(await market.run("backup", "--into", folder, "--keep", "0")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Keep at least 1."),
  });
  expect(readdirSync(folder)).toEqual([]);
});
