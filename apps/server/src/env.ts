import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { z } from "zod";

import { type SettingValue, shownValues } from "./setting-values.ts";
import { findUnknownSettings, settingNames, settings, type UnknownSetting } from "./settings.ts";

/** Settings that are invalid or missing. The message has one line for each: a sentence that begins with the setting's name. */
export class SettingError extends Error {}

/** The root of the repository: `.env` and a relative DATA_DIR are resolved from it. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** All settings, parsed; null when a setting has no value and no default. */
export interface Env {
  production: boolean;
  /** 0 is any free port. */
  port: number;
  host: string;
  /** Origin that shoppers use, without a trailing slash. */
  publicUrl: string | null;
  /** Addresses of proxies whose X-Forwarded-* headers count. */
  trustProxy: string[];
  /** Absolute. */
  dataDir: string;
  /** null: the built-in Postgres in `dataDir/postgres`. */
  databaseUrl: string | null;
  migrateDatabaseUrl: string | null;
  /** A streaming replica of `databaseUrl`. */
  replicaDatabaseUrl: string | null;
  marketName: string;
  supportEmail: string;
  supportPhone: string;
  /** The first one signs, all are accepted. */
  sessionSecrets: string[];
  /** Mixed into every password hash, outside the database. Changing it makes every password wrong. */
  pepper: string;
  sessionIdleDays: number;
  sessionAbsoluteDays: number;
  /** Raises the spec's 5 (register) and 6 (reset). */
  passwordMin: number;
  payments: "test" | "offline" | "stripe";
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | null;
  /** null: Stripe's own. */
  stripeApiUrl: string | null;
  /** null: mails are files in `dataDir/mail`. */
  smtpUrl: string | null;
  mailFrom: string;
  specialHubId: number;
  specialHubText: string | null;
  mapTilesUrl: string | null;
  /** Attribution shown on the map; empty: none. */
  mapTilesCredit: string;
  geocoderUrl: string | null;
  botCheck: "proof-of-work" | "turnstile";
  turnstile: { siteKey: string; secretKey: string } | null;
  identifyWebhookUrl: string | null;
  tagManagerId: string | null;
  /** Name of the operator in the audit log when a command is run; null: the user account of this machine. */
  operator: string | null;
  metricsToken: string | null;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** How long a server that shuts down keeps serving while `/readyz` returns 503, so that a balancer stops using it. */
  drainSeconds: number;
  demo: "auto" | "off";
  rateLimits: boolean;
  /** By IP address, which everyone on one Wi-Fi shares. */
  registrationsPerHour: number;
  /** Names in the environment that resemble settings but are not. */
  unknownSettings: UnknownSetting[];
  /** Every setting as the admin app shows it: without secrets. */
  values: SettingValue[];
}

type Source = Record<string, string | undefined>;
type Settings = z.output<typeof settings>;

const weak = /^(.)\1*$|change.?me|secret|password|example|default|marketday|123456/i;

/** Records a problem with a setting; only the first one of each setting is kept. */
type Report = (name: keyof Settings, problem: string) => void;

/** failures L9: production does not start with missing or weak secrets. */
function secretsOf(given: Settings, production: boolean, report: Report): string[] | undefined {
  const secrets = given.SESSION_SECRET;
  if (!secrets || secrets.length === 0) {
    if (production) report("SESSION_SECRET", "must be set in production, to at least 32 random characters");
    return undefined;
  }
  for (const secret of secrets) {
    if (Buffer.byteLength(secret) < 32) report("SESSION_SECRET", "must have at least 32 characters");
    if (production && weak.test(secret)) report("SESSION_SECRET", "must be random, not a word that can be guessed");
  }
  return secrets;
}

/** A secret of this machine, generated once and stored in the data folder. A damaged one is never replaced automatically. */
function storedSecret(dataDir: string, name: "session-secret" | "password-pepper"): string {
  const path = join(dataDir, name);
  let secret: string;
  try {
    mkdirSync(dataDir, { recursive: true });
    if (!existsSync(path)) {
      // Written to a temporary file and linked: two processes that start together both read the same secret.
      const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
      writeFileSync(temporary, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600 });
      try {
        linkSync(temporary, path);
      } catch (error) {
        // Some file systems have no links. There the last rename wins, which matters only for two simultaneous first starts.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(temporary, path);
      } finally {
        rmSync(temporary, { force: true });
      }
    }
    secret = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new SettingError(`DATA_DIR is ${dataDir}, which cannot be written (${(error as Error).message}).`, {
      cause: error,
    });
  }
  if (secret.length < 32)
    throw new SettingError(`DATA_DIR holds a damaged ${name}: put it back from a backup, or remove it.`);
  return secret;
}

/** All settings of a group, or null when the group is not required and none is set. */
function group<const K extends string>(
  given: Settings,
  required: boolean,
  names: Record<K, keyof Settings>,
  report: Report,
): Record<K, string> | null {
  const entries = Object.entries(names) as [K, keyof Settings][];
  if (!required && entries.every(([, name]) => given[name] === undefined)) return null;
  for (const [, name] of entries)
    if (given[name] === undefined) report(name, "is missing, while others like it are set");
  return Object.fromEntries(entries.map(([key, name]) => [key, String(given[name])])) as Record<K, string>;
}

function refuseInProduction(given: Settings, report: Report): void {
  if (!given.PUBLIC_URL) report("PUBLIC_URL", "must be set in production, to the address shoppers open");
  if (!given.PASSWORD_PEPPER) report("PASSWORD_PEPPER", "must be set in production, to at least 32 random characters");
  else if (weak.test(given.PASSWORD_PEPPER))
    report("PASSWORD_PEPPER", "must be random, not a word that can be guessed");
  if (given.STRIPE_API_URL) report("STRIPE_API_URL", "must not be set in production: it is for tests");
  if (given.RATE_LIMITS === "off") report("RATE_LIMITS", "must not be off in production");
}

/** A database's URL with the password from its separate setting, which may contain any character. */
function databaseUrl(given: Settings, prefix: "" | "MIGRATE_" | "REPLICA_", report: Report): string | null {
  const [address, password] = [given[`${prefix}DATABASE_URL`], given[`${prefix}DATABASE_PASSWORD`]];
  if (password === undefined) return address ?? null;
  const parsed = address === undefined ? undefined : new URL(address);
  if (!parsed?.host || !parsed.username) {
    report(`${prefix}DATABASE_PASSWORD`, `is set, so ${prefix}DATABASE_URL must name a user and a host`);
    return null;
  }
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

/** Settings as text. An empty one counts as not set; a database password may begin or end with a space. */
const textOf = (source: Source): Source =>
  Object.fromEntries(
    settingNames.map((name) => [
      name,
      (name.endsWith("DATABASE_PASSWORD") ? source[name] : source[name]?.trim()) || undefined,
    ]),
  );

/**
 * Parses settings. An empty one counts as not set. Generates missing secrets in DATA_DIR outside production.
 * @throws SettingError that names every invalid or missing setting
 */
export function parseEnv(source: Source): Env {
  const text = textOf(source);
  const problems = new Map<string, string>();
  const report: Report = (name, problem) => {
    if (!problems.has(name)) problems.set(name, `${name} ${problem}.`);
  };
  const parsed = settings.safeParse(text);
  for (const { path, message } of parsed.error?.issues ?? []) report(path[0] as keyof Settings, message);
  // The remaining checks run without the invalid settings.
  const given =
    parsed.data ??
    settings.parse({ ...text, ...Object.fromEntries([...problems.keys()].map((name) => [name, undefined])) });
  const production = given.NODE_ENV === "production";
  if (production) refuseInProduction(given, report);
  if (given.SESSION_IDLE_DAYS > given.SESSION_ABSOLUTE_DAYS)
    report("SESSION_IDLE_DAYS", "must not be more than SESSION_ABSOLUTE_DAYS");
  const payments = given.PAYMENTS ?? (production ? "offline" : "test");
  const secrets = secretsOf(given, production, report);
  const stripe = group(
    given,
    payments === "stripe",
    {
      secretKey: "STRIPE_SECRET_KEY",
      publishableKey: "STRIPE_PUBLISHABLE_KEY",
      webhookSecret: "STRIPE_WEBHOOK_SECRET",
    },
    report,
  );
  const turnstile = group(
    given,
    given.BOT_CHECK === "turnstile",
    { siteKey: "TURNSTILE_SITE_KEY", secretKey: "TURNSTILE_SECRET_KEY" },
    report,
  );
  const addresses = {
    databaseUrl: databaseUrl(given, "", report),
    migrateDatabaseUrl: databaseUrl(given, "MIGRATE_", report),
    replicaDatabaseUrl: databaseUrl(given, "REPLICA_", report),
  };
  if (addresses.replicaDatabaseUrl !== null && addresses.databaseUrl === null)
    report("REPLICA_DATABASE_URL", "is a replica of DATABASE_URL, which must be set too");
  if (problems.size > 0) throw new SettingError([...problems.values()].join("\n"));
  const dataDir = resolve(projectRoot, given.DATA_DIR);
  const mailFrom = given.MAIL_FROM ?? `"${given.MARKET_NAME.replaceAll('"', "'")}" <${given.SUPPORT_EMAIL}>`;
  const drainSeconds = given.DRAIN_SECONDS ?? (production ? 5 : 0);
  return {
    production,
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL ?? null,
    trustProxy: given.TRUST_PROXY,
    dataDir,
    ...addresses,
    marketName: given.MARKET_NAME,
    supportEmail: given.SUPPORT_EMAIL,
    supportPhone: given.SUPPORT_PHONE,
    sessionSecrets: secrets ?? [storedSecret(dataDir, "session-secret")],
    pepper: given.PASSWORD_PEPPER ?? storedSecret(dataDir, "password-pepper"),
    sessionIdleDays: given.SESSION_IDLE_DAYS,
    sessionAbsoluteDays: given.SESSION_ABSOLUTE_DAYS,
    passwordMin: given.PASSWORD_MIN,
    payments,
    stripe,
    stripeApiUrl: given.STRIPE_API_URL ?? null,
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom,
    specialHubId: given.SPECIAL_HUB_ID,
    specialHubText: given.SPECIAL_HUB_TEXT ?? null,
    mapTilesUrl: given.MAP_TILES_URL ?? null,
    mapTilesCredit: given.MAP_TILES_CREDIT,
    geocoderUrl: given.GEOCODER_URL ?? null,
    botCheck: given.BOT_CHECK,
    turnstile,
    identifyWebhookUrl: given.IDENTIFY_WEBHOOK_URL ?? null,
    tagManagerId: given.TAG_MANAGER_ID ?? null,
    operator: given.MARKET_OPERATOR?.trim() || null,
    metricsToken: given.METRICS_TOKEN ?? null,
    logLevel: given.LOG_LEVEL,
    drainSeconds,
    demo: given.DEMO,
    rateLimits: given.RATE_LIMITS === "on",
    registrationsPerHour: given.REGISTRATIONS_PER_HOUR,
    unknownSettings: findUnknownSettings(Object.keys(source), settingNames),
    values: shownValues(text, { ...given, PAYMENTS: payments, MAIL_FROM: mailFrom, DRAIN_SECONDS: drainSeconds }),
  };
}

/**
 * The settings of this process: its environment, which overrides `.env` in the project's root.
 * @throws SettingError
 */
export function loadEnv(): Env {
  const file = join(projectRoot, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return parseEnv(process.env);
}
