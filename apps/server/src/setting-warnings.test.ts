import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { parseEnv } from "./env.ts";
import { settingWarnings } from "./setting-warnings.ts";
import { findUnknownSettings, settingNames } from "./settings.ts";

const dataDir = mkdtempSync(join(tmpdir(), "marketday-warnings-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const production = {
  NODE_ENV: "production",
  SESSION_SECRET: "0dXk2v7Rr1mQe5uN9sTb4yWc8aZf6hJg3pLo",
  PASSWORD_PEPPER: "q7Wm2Zt9Lx4Kc8Vb1Nd6Rf3Hj5Ps0Gy_Ua-E",
  PUBLIC_URL: "https://market.example.org",
};
const real = {
  ...production,
  MARKET_NAME: "Oak Street Market",
  SUPPORT_EMAIL: "hello@oak-street.example",
  SUPPORT_PHONE: "(317) 555-0100",
  SMTP_URL: "smtp://mail.oak-street.example:587",
};
const messagesFor = (source: Record<string, string>): string[] =>
  settingWarnings(parseEnv({ DATA_DIR: dataDir, ...source })).map(({ message }) => message);
const settingsOf = (source: Record<string, string>): string[] =>
  settingWarnings(parseEnv({ DATA_DIR: dataDir, ...source })).map(({ setting }) => setting);

describe("in production", () => {
  test("the demo's name, sender and phone, and unsent mail each give a warning", () => {
    expect(messagesFor(production)).toEqual([
      'MARKET_NAME is the demo market\'s: shoppers see "Little Wagon".',
      "SUPPORT_EMAIL is the demo market's, hello@little-wagon.example: no one reads what shoppers write there.",
      "SUPPORT_PHONE is the demo market's, (312) 555-0142: no one answers it.",
      `SMTP_URL is not set: receipts and links for a new password are not sent, they are files in ${join(dataDir, "mail")}.`,
    ]);
  });

  test("a market with its real settings has no warning", () => {
    expect(messagesFor(real)).toEqual([]);
  });

  test.each([
    ["SMTP_URL", { SMTP_URL: "smtp://mail:1025" }],
    ["MAIL_FROM", { MAIL_FROM: "Oak <hello@little-wagon.example>" }],
    ["PAYMENTS", { PAYMENTS: "test" }],
    ["SUPPORT_PHONE", { SUPPORT_PHONE: "" }],
  ])("%s alone: %o", (setting, change) => {
    expect(settingsOf({ ...real, ...change })).toEqual([setting]);
  });
});

test("setting warnings: none for the demo's settings outside production", () => {
  expect(messagesFor({})).toEqual([]);
});

describe("names that resemble settings", () => {
  test.each([
    ["DEM", "DEMO"],
    ["DEMP", "DEMO"],
    ["SMPT_URL", "SMTP_URL"],
    ["SMTP_ULR", "SMTP_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["public_url", "PUBLIC_URL"],
    ["RATE_LIMIT", "RATE_LIMITS"],
    ["MIGRATE_DATABASE", "MIGRATE_DATABASE_URL"],
  ])("%s is reported with the suggestion %s", (name, meant) => {
    expect(messagesFor({ [name]: "off" })).toEqual([
      `${name} is not a setting of Marketday, so it has no effect. Did you mean ${meant}?`,
    ]);
  });

  test("a name that only has a prefix of ours is reported without a suggestion", () => {
    expect(messagesFor({ STRIPE_WEBSITE: "x" })).toEqual([
      "STRIPE_WEBSITE is not a setting of Marketday, so it has no effect. .env.example lists them all.",
    ]);
  });

  test("variables of systems, shells, Node, Docker, compose and Kubernetes are not reported, and no setting is", () => {
    const others =
      "PATH HOME HOST HOSTNAME HOSTTYPE USER LOGNAME SHELL SHLVL PWD OLDPWD TERM LANG LANGUAGE LC_ALL TZ MAIL MAILTO MAILCHECK EDITOR PAGER DISPLAY TMPDIR TEMP PORT SESSION_MANAGER XDG_SESSION_ID XDG_DATA_DIRS DESKTOP_SESSION SSH_AUTH_SOCK INVOCATION_ID JOURNAL_STREAM NODE NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION npm_lifecycle_event npm_config_user_agent INIT_CWD COLOR npm_execpath npm_node_execpath npm_package_json PNPM_SCRIPT_SRC_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy CI DEBUG MODE DEV PROD BASE_URL SSR TEST VITEST POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB PGHOST PGPASSWORD COMPOSE_PROJECT_NAME COMPOSE_PROFILES UPSTREAMS DATABASE_SERVICE_HOST DATABASE_SERVICE_PORT_POSTGRES DATABASE_PORT_5432_TCP_ADDR MALLOC_ARENA_MAX LD_PRELOAD _";
    expect(findUnknownSettings([...others.split(" "), ...settingNames], settingNames)).toEqual([]);
  });
});
