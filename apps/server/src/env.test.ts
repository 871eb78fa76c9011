import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { parseEnv, projectRoot, SettingError } from "./env.ts";
import { settingNames } from "./settings.ts";

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

test("settings: every one is optional outside production", () => {
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

test("secrets: generated once, each in a file that only its owner can read; a damaged one is an error", () => {
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

test("settings: an empty one counts as not set", () => {
  expect(parse({ PORT: "", DATABASE_URL: "  ", SESSION_SECRET: "" })).toMatchObject({ port: 3000, databaseUrl: null });
});

test("settings: lists are split, PUBLIC_URL is reduced to its origin", () => {
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
  ["REPLICA_DATABASE_URL", { REPLICA_DATABASE_URL: "postgres://reader@db:5432/market" }],
  ["SUPPORT_EMAIL", { SUPPORT_EMAIL: "no-address" }],
  ["SESSION_SECRET", { SESSION_SECRET: "short" }],
  ["SESSION_IDLE_DAYS", { SESSION_IDLE_DAYS: "91" }],
  ["PASSWORD_MIN", { PASSWORD_MIN: "4" }],
  ["PAYMENTS", { PAYMENTS: "cash" }],
  ["STRIPE_SECRET_KEY", { PAYMENTS: "stripe" }],
  ["STRIPE_WEBHOOK_SECRET", { STRIPE_SECRET_KEY: "a", STRIPE_PUBLISHABLE_KEY: "b" }],
  ["SMTP_URL", { SMTP_URL: "mail.example.org" }],
  ["TURNSTILE_SITE_KEY", { BOT_CHECK: "turnstile" }],
  ["MAP_TILES_URL", { MAP_TILES_URL: "https://tiles.example.org/{z}/{x}.png" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "short" }],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ["DEMO", { DEMO: "yes" }],
  ["RATE_LIMITS", { RATE_LIMITS: "maybe" }],
];

/** One sentence that begins with the setting; for a group, one for each missing setting. */
function sentenceAbout(name: string): RegExp {
  const others = /^(STRIPE|TURNSTILE)_/.exec(name)?.[0];
  return new RegExp(`^${name} [^\\n]*\\.${others ? `(\\n${others}\\w+ [^\\n]*\\.)*` : ""}$`);
}

test.each(wrong)("settings: an invalid %s is reported in one sentence: %o", (name, source) => {
  expect(() => parse(source)).toThrow(SettingError);
  expect(() => parse(source)).toThrow(sentenceAbout(name));
});

test("settings: every invalid or missing one is reported once, and no file is written", () => {
  const failing = {
    ...production,
    PORT: "lots",
    PUBLIC_URL: "",
    PASSWORD_PEPPER: "",
    SESSION_SECRET: "changeme",
    STRIPE_SECRET_KEY: "a",
  };
  expect.assertions(2);
  try {
    parse({ ...failing, DATA_DIR: join(dataDir, "new") });
  } catch (error) {
    expect((error as Error).message.split("\n")).toEqual([
      "PORT must be a whole number from 0 to 65535.",
      "PUBLIC_URL must be set in production, to the address shoppers open.",
      "PASSWORD_PEPPER must be set in production, to at least 32 random characters.",
      "SESSION_SECRET must have at least 32 characters.",
      "STRIPE_PUBLISHABLE_KEY is missing, while others like it are set.",
      "STRIPE_WEBHOOK_SECRET is missing, while others like it are set.",
    ]);
  }
  expect(existsSync(join(dataDir, "new"))).toBe(false);
});

describe("a database's password as a separate setting", () => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");
  test.each([printable, "p/a+s=s==", "100%25", "üñ€🥕", " ", "'\"\\$`", "a@b:5432/other?sslmode=disable#x"])(
    "may hold any character: %s",
    (password) => {
      const env = parse({
        DATABASE_URL: "postgres://app@db:5432/market?sslmode=disable",
        DATABASE_PASSWORD: password,
        MIGRATE_DATABASE_URL: "postgres://owner:old@db:5432/market",
        MIGRATE_DATABASE_PASSWORD: password,
        REPLICA_DATABASE_URL: "postgres://reader@db:5432/market",
        REPLICA_DATABASE_PASSWORD: password,
      });
      for (const [address, user] of [
        [env.databaseUrl, "app"],
        [env.migrateDatabaseUrl, "owner"],
        [env.replicaDatabaseUrl, "reader"],
      ]) {
        const { username, password: encoded, host, pathname } = new URL(address!);
        expect([username, decodeURIComponent(encoded), host, pathname]).toEqual([user, password, "db:5432", "/market"]);
      }
      expect(env.databaseUrl).toContain("?sslmode=disable");
    },
  );

  test("requires an address; an address that a password broke names the setting to use", () => {
    expect(() => parse({ DATABASE_PASSWORD: "eggs" })).toThrow(sentenceAbout("DATABASE_PASSWORD"));
    expect(() => parse({ DATABASE_URL: "postgres:///market", DATABASE_PASSWORD: "eggs" })).toThrow(
      /must name a user and a host/,
    );
    expect(() => parse({ DATABASE_URL: "postgres://app:a/b#c@db:5432/market" })).toThrow(
      /belongs in DATABASE_PASSWORD\.$/,
    );
  });
});

describe("production", () => {
  test("PAYMENTS is offline by default", () => {
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

test("settings: a DATA_DIR that cannot be created is reported", () => {
  expect(() => parse({ DATA_DIR: "/dev/null/var" })).toThrow(sentenceAbout("DATA_DIR"));
});

test(".env.example explains every setting and no unknown one", () => {
  const lines = readFileSync(join(projectRoot, ".env.example"), "utf8").split("\n");
  const shown = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);
  expect(shown.toSorted()).toStrictEqual(settingNames.toSorted());
  const unexplained = lines.filter(
    (line, index) => /^#[A-Z][A-Z0-9_]*=/.test(line) && !(lines[index - 1] ?? "").startsWith("#"),
  );
  expect(unexplained).toStrictEqual([]);
});
