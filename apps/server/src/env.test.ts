import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { parseEnv, projectRoot, SettingError, settingNames } from "./env.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "marketday-env-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const strong = "0dXk2v7Rr1mQe5uN9sTb4yWc8aZf6hJg3pLo";
const parse = (source: Record<string, string>) => parseEnv({ DATA_DIR: dataDir, ...source });
const pepper = "q7Wm2Zt9Lx4Kc8Vb1Nd6Rf3Hj5Ps0Gy_Ua-E";
const production = {
  NODE_ENV: "production",
  SESSION_SECRET: strong,
  PASSWORD_PEPPER: pepper,
  PUBLIC_URL: "https://market.example.org",
};

test("nothing needs to be set", () => {
  expect(parse({})).toMatchObject({
    production: false,
    port: 3000,
    publicUrl: null,
    databaseUrl: null,
    payments: "test",
    specialHubId: 126,
    demo: "auto",
    rateLimits: true,
    sessionIdleDays: 30,
    sessionAbsoluteDays: 90,
    passwordMin: 5,
  });
});

test("secrets are made once, kept apart, and readable by nobody else", () => {
  const first = parse({});
  expect(first.sessionSecrets[0]?.length).toBeGreaterThanOrEqual(32);
  expect(first.pepper.length).toBeGreaterThanOrEqual(32);
  expect(first.sessionSecrets).not.toContain(first.pepper);
  expect(parse({})).toStrictEqual(first);
  for (const name of ["session-secret", "password-pepper"]) {
    expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0);
    writeFileSync(join(dataDir, name), "cut");
    expect(() => parse({})).toThrow(sentenceAbout("DATA_DIR"));
    rmSync(join(dataDir, name));
  }
});

test("an empty setting counts as not set", () => {
  expect(parse({ PORT: "", DATABASE_URL: "  ", SESSION_SECRET: "" })).toMatchObject({ port: 3000, databaseUrl: null });
});

test("lists are split, addresses are reduced to their origin", () => {
  expect(
    parse({
      TRUST_PROXY: "10.0.0.1, 10.0.0.2",
      PUBLIC_URL: "https://market.example.org/",
      SESSION_SECRET: `${strong},${strong}2`,
    }),
  ).toMatchObject({
    trustProxy: ["10.0.0.1", "10.0.0.2"],
    publicUrl: "https://market.example.org",
    sessionSecrets: [strong, `${strong}2`],
  });
});

const wrong: [name: string, source: Record<string, string>][] = [
  ["PORT", { PORT: "abc" }],
  ["PORT", { PORT: "65536" }],
  ["PORT", { PORT: "80.5" }],
  ["PUBLIC_URL", { PUBLIC_URL: "market.example.org" }],
  ["PUBLIC_URL", { PUBLIC_URL: "https://market.example.org/shop" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://localhost/x" }],
  ["SUPPORT_EMAIL", { SUPPORT_EMAIL: "nobody" }],
  ["SESSION_SECRET", { SESSION_SECRET: "short" }],
  ["SESSION_IDLE_DAYS", { SESSION_IDLE_DAYS: "91" }],
  ["PASSWORD_MIN", { PASSWORD_MIN: "4" }],
  ["PAYMENTS", { PAYMENTS: "cash" }],
  ["STRIPE_SECRET_KEY", { PAYMENTS: "stripe" }],
  ["STRIPE_WEBHOOK_SECRET", { STRIPE_SECRET_KEY: "a", STRIPE_PUBLISHABLE_KEY: "b" }],
  ["SMTP_URL", { SMTP_URL: "mail.example.org" }],
  ["TURNSTILE_SITE_KEY", { BOT_CHECK: "turnstile" }],
  ["MAP_TILES_URL", { MAP_TILES_URL: "https://tiles.example.org/{z}/{x}.png" }],
  ["S3_BUCKET", { S3_ENDPOINT: "https://s3.example.org" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "short" }],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ["DEMO", { DEMO: "yes" }],
  ["RATE_LIMITS", { RATE_LIMITS: "maybe" }],
];

/** One sentence that begins with the setting. */
function sentenceAbout(name: string): RegExp {
  return new RegExp(`^${name} [^\\n]*\\.$`);
}

test.each(wrong)("a wrong %s is named in one sentence: %o", (name, source) => {
  expect(() => parse(source)).toThrow(SettingError);
  expect(() => parse(source)).toThrow(sentenceAbout(name));
});

describe("production", () => {
  test("takes payment offline unless told otherwise", () => {
    expect(parse(production)).toMatchObject({ production: true, payments: "offline" });
  });

  const refused: [name: string, change: Record<string, string>][] = [
    ["SESSION_SECRET", { SESSION_SECRET: "" }],
    ["SESSION_SECRET", { SESSION_SECRET: "changeme" }],
    ["SESSION_SECRET", { SESSION_SECRET: "changemechangemechangemechangeme" }],
    ["SESSION_SECRET", { SESSION_SECRET: "a".repeat(40) }],
    ["SESSION_SECRET", { SESSION_SECRET: strong.slice(0, 31) }],
    ["SESSION_SECRET", { SESSION_SECRET: `${strong},short` }],
    ["PASSWORD_PEPPER", { PASSWORD_PEPPER: "" }],
    ["PASSWORD_PEPPER", { PASSWORD_PEPPER: pepper.slice(0, 31) }],
    ["PASSWORD_PEPPER", { PASSWORD_PEPPER: "x".repeat(40) }],
    ["PUBLIC_URL", { PUBLIC_URL: "" }],
    ["RATE_LIMITS", { RATE_LIMITS: "off" }],
  ];
  test.each(refused)("does not start with a bad %s: %o", { tags: ["fail:L9"] }, (name, change) => {
    expect(() => parse({ ...production, ...change })).toThrow(sentenceAbout(name));
  });
});

test("a data folder that cannot be made is named", () => {
  expect(() => parse({ DATA_DIR: "/dev/null/var" })).toThrow(sentenceAbout("DATA_DIR"));
});

test(".env.example explains every setting, and none that does not exist", () => {
  const lines = readFileSync(join(projectRoot, ".env.example"), "utf8").split("\n");
  const shown = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);
  expect(shown.toSorted()).toStrictEqual(settingNames.toSorted());
  const unexplained = lines.filter(
    (line, index) => /^#[A-Z][A-Z0-9_]*=/.test(line) && !(lines[index - 1] ?? "").startsWith("#"),
  );
  expect(unexplained).toStrictEqual([]);
});
