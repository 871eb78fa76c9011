import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

/** A setting that is wrong or missing. The message is one sentence that begins with the setting's name. */
export class SettingError extends Error {}

/** The root of the repository, which `.env` and a relative DATA_DIR are looked up in. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};
const words = (least: number, most: number) => z.string().min(least).max(most, `must have at most ${most} characters`);
const oneOf = <const T extends readonly [string, ...string[]]>(choices: T) =>
  z.enum(choices, `must be one of ${choices.join(", ")}`);

function url(protocols: string[], example: string) {
  const message = `must be an address such as ${example}`;
  return z
    .string()
    .refine((text) => protocols.some((protocol) => text.startsWith(`${protocol}://`)) && URL.canParse(text), {
      message,
      abort: true,
    });
}
const web = (example: string) => url(["http", "https"], example);
/** Scheme and host without anything behind, as browsers send it in Origin. */
const origin = web("https://market.example.org")
  .refine(
    (text) => ["/", ""].includes(new URL(text).pathname) && !new URL(text).search,
    "must be an address without a path",
  )
  .transform((text) => new URL(text).origin);
const email = z.email("must be an e-mail address");
const database = url(["postgres", "postgresql"], "postgres://user:password@host:5432/name");
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Every setting of decisions §16 under its name in the environment; `.env.example` explains the same list. */
const settings = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: whole(0, 65_535).default(3000),
  HOST: words(1, 255).default("localhost"),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: list.default([]),
  DATA_DIR: words(1, 1000).default("var"),
  DATABASE_URL: database.optional(),
  MIGRATE_DATABASE_URL: database.optional(),
  MARKET_NAME: words(1, 60).default("Little Wagon"),
  SUPPORT_EMAIL: email.default("hello@little-wagon.example"),
  SUPPORT_PHONE: words(1, 40).default("(312) 555-0142"),
  SESSION_SECRET: list.optional(),
  PASSWORD_PEPPER: z.string().min(32, "must have at least 32 characters").optional(),
  SESSION_IDLE_DAYS: whole(1, 365).default(30),
  SESSION_ABSOLUTE_DAYS: whole(1, 365).default(90),
  PASSWORD_MIN: whole(5, 64).default(5),
  PAYMENTS: oneOf(["test", "offline", "stripe"]).optional(),
  STRIPE_SECRET_KEY: words(1, 255).optional(),
  STRIPE_PUBLISHABLE_KEY: words(1, 255).optional(),
  STRIPE_WEBHOOK_SECRET: words(1, 255).optional(),
  STRIPE_API_URL: web("http://localhost:12111").optional(),
  SMTP_URL: url(["smtp", "smtps"], "smtp://user:password@mail.example.org:587").optional(),
  MAIL_FROM: words(3, 200).optional(),
  SPECIAL_HUB_ID: whole(1, 2_147_483_647).default(126),
  SPECIAL_HUB_TEXT: words(1, 2_000).optional(),
  MAP_TILES_URL: web("https://tiles.example.org/{z}/{x}/{y}.png")
    .refine((text) => ["{z}", "{x}", "{y}"].every((part) => text.includes(part)), "must name {z}, {x} and {y}")
    .optional(),
  MAP_TILES_CREDIT: z.string().default(""),
  GEOCODER_URL: web("https://geocoder.example.org/reverse").optional(),
  BOT_CHECK: oneOf(["proof-of-work", "turnstile"]).default("proof-of-work"),
  TURNSTILE_SITE_KEY: words(1, 255).optional(),
  TURNSTILE_SECRET_KEY: words(1, 255).optional(),
  IDENTIFY_WEBHOOK_URL: web("https://hooks.example.org/identify").optional(),
  TAG_MANAGER_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]+$/, "must look like GTM-ABC123")
    .optional(),
  S3_ENDPOINT: web("https://s3.example.org").optional(),
  S3_BUCKET: words(1, 255).optional(),
  S3_REGION: words(1, 64).optional(),
  S3_ACCESS_KEY_ID: words(1, 255).optional(),
  S3_SECRET_ACCESS_KEY: words(1, 255).optional(),
  MARKET_OPERATOR: words(1, 100).optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DRAIN_SECONDS: whole(0, 300).optional(),
  DEMO: oneOf(["auto", "off"]).default("auto"),
  RATE_LIMITS: oneOf(["on", "off"]).default("on"),
});

/** The names of all settings. */
export const settingNames = Object.keys(settings.shape);

/** All settings, parsed; what is not set and has no default is null. */
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
  marketName: string;
  supportEmail: string;
  supportPhone: string;
  /** The first signs, all are accepted. */
  sessionSecrets: string[];
  /** Mixed into every password hash, outside the database. Changing it makes every password wrong. */
  pepper: string;
  sessionIdleDays: number;
  sessionAbsoluteDays: number;
  /** Raises the spec's 5 (register) and 6 (reset). */
  passwordMin: number;
  payments: "test" | "offline" | "stripe";
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | null;
  /** null: mails are files in `dataDir/mail`. */
  /** null: Stripe's own. */
  stripeApiUrl: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  specialHubId: number;
  specialHubText: string | null;
  mapTilesUrl: string | null;
  /** Who is to be named for the tiles; empty: nobody. */
  mapTilesCredit: string;
  geocoderUrl: string | null;
  botCheck: "proof-of-work" | "turnstile";
  turnstile: { siteKey: string; secretKey: string } | null;
  identifyWebhookUrl: string | null;
  tagManagerId: string | null;
  s3: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
  /** Who stands in the audit when a command is run; null: the account on this machine. */
  operator: string | null;
  metricsToken: string | null;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** How long a server that shuts down keeps serving while `/readyz` says 503, so that a balancer can turn away. */
  drainSeconds: number;
  demo: "auto" | "off";
  rateLimits: boolean;
}

type Source = Record<string, string | undefined>;
type Settings = z.output<typeof settings>;

const weak = /^(.)\1*$|change.?me|secret|password|example|default|marketday|123456/i;

/** failures L9: production starts with secrets worth the name or not at all. */
function secretsOf(given: Settings, production: boolean): string[] | undefined {
  const secrets = given.SESSION_SECRET;
  if (!secrets || secrets.length === 0) {
    if (production)
      throw new SettingError("SESSION_SECRET must be set in production, to at least 32 random characters.");
    return undefined;
  }
  for (const secret of secrets) {
    if (Buffer.byteLength(secret) < 32) throw new SettingError("SESSION_SECRET must have at least 32 characters.");
    if (production && weak.test(secret))
      throw new SettingError("SESSION_SECRET must be random, not a word that can be guessed.");
  }
  return secrets;
}

/** A secret of this machine, made once and kept in the data folder. A damaged one is never replaced unasked. */
function keptSecret(dataDir: string, name: "session-secret" | "password-pepper"): string {
  const path = join(dataDir, name);
  let kept: string;
  try {
    mkdirSync(dataDir, { recursive: true });
    if (!existsSync(path)) {
      // Made aside and linked, so that of two processes that start together one makes it and both read the same.
      const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
      writeFileSync(aside, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600 });
      try {
        linkSync(aside, path);
      } catch (error) {
        // Some file systems have no links; there the last one to rename wins, which only two first starts could notice.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(aside, path);
      } finally {
        rmSync(aside, { force: true });
      }
    }
    kept = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new SettingError(`DATA_DIR is ${dataDir}, which cannot be written (${(error as Error).message}).`, {
      cause: error,
    });
  }
  if (kept.length < 32)
    throw new SettingError(`DATA_DIR holds a damaged ${name}: put it back from a backup, or remove it.`);
  return kept;
}

/** Either all settings of a group, or null when the group is not wanted and none is set. */
function group<const K extends string>(
  given: Settings,
  wanted: boolean,
  names: Record<K, keyof Settings>,
): Record<K, string> | null {
  const entries = Object.entries(names) as [K, keyof Settings][];
  if (!wanted && entries.every(([, name]) => given[name] === undefined)) return null;
  for (const [, name] of entries)
    if (given[name] === undefined) throw new SettingError(`${name} is missing, while others like it are set.`);
  return Object.fromEntries(entries.map(([key, name]) => [key, String(given[name])])) as Record<K, string>;
}

function refuseInProduction(given: Settings): void {
  if (!given.PUBLIC_URL) throw new SettingError("PUBLIC_URL must be set in production, to the address shoppers open.");
  if (!given.PASSWORD_PEPPER)
    throw new SettingError("PASSWORD_PEPPER must be set in production, to at least 32 random characters.");
  if (weak.test(given.PASSWORD_PEPPER))
    throw new SettingError("PASSWORD_PEPPER must be random, not a word that can be guessed.");
  if (given.STRIPE_API_URL) throw new SettingError("STRIPE_API_URL must not be set in production: it is for tests.");
  if (given.RATE_LIMITS === "off") throw new SettingError("RATE_LIMITS must not be off in production.");
}

/**
 * Parses settings. An empty one counts as not set. Makes the session secret in DATA_DIR where none is given.
 * @throws SettingError for the first one that is wrong
 */
export function parseEnv(source: Source): Env {
  const set = Object.fromEntries(settingNames.map((name) => [name, source[name]?.trim() || undefined]));
  const { data: given, error } = settings.safeParse(set);
  if (!given) {
    const [issue] = error.issues;
    throw new SettingError(`${String(issue?.path[0])} ${issue?.message}.`);
  }
  const production = given.NODE_ENV === "production";
  if (production) refuseInProduction(given);
  if (given.SESSION_IDLE_DAYS > given.SESSION_ABSOLUTE_DAYS) {
    throw new SettingError("SESSION_IDLE_DAYS must not be more than SESSION_ABSOLUTE_DAYS.");
  }
  const payments = given.PAYMENTS ?? (production ? "offline" : "test");
  const secrets = secretsOf(given, production);
  const dataDir = resolve(projectRoot, given.DATA_DIR);
  return {
    production,
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL ?? null,
    trustProxy: given.TRUST_PROXY,
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    migrateDatabaseUrl: given.MIGRATE_DATABASE_URL ?? null,
    marketName: given.MARKET_NAME,
    supportEmail: given.SUPPORT_EMAIL,
    supportPhone: given.SUPPORT_PHONE,
    sessionSecrets: secrets ?? [keptSecret(dataDir, "session-secret")],
    pepper: given.PASSWORD_PEPPER ?? keptSecret(dataDir, "password-pepper"),
    sessionIdleDays: given.SESSION_IDLE_DAYS,
    sessionAbsoluteDays: given.SESSION_ABSOLUTE_DAYS,
    passwordMin: given.PASSWORD_MIN,
    payments,
    stripe: group(given, payments === "stripe", {
      secretKey: "STRIPE_SECRET_KEY",
      publishableKey: "STRIPE_PUBLISHABLE_KEY",
      webhookSecret: "STRIPE_WEBHOOK_SECRET",
    }),
    stripeApiUrl: given.STRIPE_API_URL ?? null,
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM ?? `"${given.MARKET_NAME.replaceAll('"', "'")}" <${given.SUPPORT_EMAIL}>`,
    specialHubId: given.SPECIAL_HUB_ID,
    specialHubText: given.SPECIAL_HUB_TEXT ?? null,
    mapTilesUrl: given.MAP_TILES_URL ?? null,
    mapTilesCredit: given.MAP_TILES_CREDIT,
    geocoderUrl: given.GEOCODER_URL ?? null,
    botCheck: given.BOT_CHECK,
    turnstile: group(given, given.BOT_CHECK === "turnstile", {
      siteKey: "TURNSTILE_SITE_KEY",
      secretKey: "TURNSTILE_SECRET_KEY",
    }),
    identifyWebhookUrl: given.IDENTIFY_WEBHOOK_URL ?? null,
    tagManagerId: given.TAG_MANAGER_ID ?? null,
    s3: group(given, false, {
      endpoint: "S3_ENDPOINT",
      bucket: "S3_BUCKET",
      region: "S3_REGION",
      accessKeyId: "S3_ACCESS_KEY_ID",
      secretAccessKey: "S3_SECRET_ACCESS_KEY",
    }),
    operator: given.MARKET_OPERATOR?.trim() || null,
    metricsToken: given.METRICS_TOKEN ?? null,
    logLevel: given.LOG_LEVEL,
    drainSeconds: given.DRAIN_SECONDS ?? (production ? 5 : 0),
    demo: given.DEMO,
    rateLimits: given.RATE_LIMITS === "on",
  };
}

/**
 * The settings of this process: its environment, over `.env` in the project's root where there is one.
 * @throws SettingError
 */
export function loadEnv(): Env {
  const file = join(projectRoot, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return parseEnv(process.env);
}
