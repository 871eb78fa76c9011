import { z } from "zod";

import { nearestFinder } from "./lib/nearest.ts";

const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};
const text = (least: number, most: number) => z.string().min(least).max(most, `must have at most ${most} characters`);
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
/** Scheme and host without a path, as browsers send it in Origin. */
const origin = web("https://market.example.org")
  .refine(
    (text) => ["/", ""].includes(new URL(text).pathname) && !new URL(text).search,
    "must be an address without a path",
  )
  .transform((text) => new URL(text).origin);
const email = z.email("must be an email address");
const database = (password: string) =>
  url(
    ["postgres", "postgresql"],
    `postgres://user:password@host:5432/name; a password with characters such as / # ? @ belongs in ${password}`,
  );
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Name and contact of the demo market; a warning in production (`settingWarnings`). */
export const DEMO_IDENTITY = {
  name: "Little Wagon",
  email: "hello@little-wagon.example",
  phone: "(312) 555-0142",
} as const;

/** Every setting of docs/product.md §16 under its name in the environment; `.env.example` explains the same list. */
export const settings = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: text(1, 255).default("localhost"),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: list.default([]),
  DATA_DIR: text(1, 1000).default("var"),
  DATABASE_URL: database("DATABASE_PASSWORD").optional(),
  DATABASE_PASSWORD: text(1, 1000).optional(),
  MIGRATE_DATABASE_URL: database("MIGRATE_DATABASE_PASSWORD").optional(),
  MIGRATE_DATABASE_PASSWORD: text(1, 1000).optional(),
  REPLICA_DATABASE_URL: database("REPLICA_DATABASE_PASSWORD").optional(),
  REPLICA_DATABASE_PASSWORD: text(1, 1000).optional(),
  MARKET_NAME: text(1, 60).default(DEMO_IDENTITY.name),
  SUPPORT_EMAIL: email.default(DEMO_IDENTITY.email),
  SUPPORT_PHONE: text(1, 40).default(DEMO_IDENTITY.phone),
  SESSION_SECRET: list.optional(),
  PASSWORD_PEPPER: z.string().min(32, "must have at least 32 characters").optional(),
  SESSION_IDLE_DAYS: wholeNumber(1, 365).default(30),
  SESSION_ABSOLUTE_DAYS: wholeNumber(1, 365).default(90),
  PASSWORD_MIN: wholeNumber(5, 64).default(5),
  PAYMENTS: oneOf(["test", "offline", "stripe"]).optional(),
  STRIPE_SECRET_KEY: text(1, 255).optional(),
  STRIPE_PUBLISHABLE_KEY: text(1, 255).optional(),
  STRIPE_WEBHOOK_SECRET: text(1, 255).optional(),
  STRIPE_API_URL: web("http://localhost:12111").optional(),
  SMTP_URL: url(["smtp", "smtps"], "smtp://user:password@mail.example.org:587").optional(),
  MAIL_FROM: text(3, 200).optional(),
  SPECIAL_HUB_ID: wholeNumber(1, 2_147_483_647).default(126),
  SPECIAL_HUB_TEXT: text(1, 2_000).optional(),
  MAP_TILES_URL: web("https://tiles.example.org/{z}/{x}/{y}.png")
    .refine((text) => ["{z}", "{x}", "{y}"].every((part) => text.includes(part)), "must contain {z}, {x} and {y}")
    .optional(),
  MAP_TILES_CREDIT: z.string().default(""),
  GEOCODER_URL: web("https://geocoder.example.org/reverse").optional(),
  BOT_CHECK: oneOf(["proof-of-work", "turnstile"]).default("proof-of-work"),
  TURNSTILE_SITE_KEY: text(1, 255).optional(),
  TURNSTILE_SECRET_KEY: text(1, 255).optional(),
  IDENTIFY_WEBHOOK_URL: web("https://hooks.example.org/identify").optional(),
  TAG_MANAGER_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]+$/, "must look like GTM-ABC123")
    .optional(),
  MARKET_OPERATOR: text(1, 100).optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DRAIN_SECONDS: wholeNumber(0, 300).optional(),
  DEMO: oneOf(["auto", "off"]).default("auto"),
  RATE_LIMITS: oneOf(["on", "off"]).default("on"),
  REGISTRATIONS_PER_HOUR: wholeNumber(20, 10_000).default(240),
});

/** The names of all settings. */
export const settingNames = Object.keys(settings.shape);

/** A name that resembles a setting, and the setting that was probably meant. */
export interface UnknownSetting {
  name: string;
  meant: string | null;
}

/** Prefixes of our settings; a name with another prefix must be a typing mistake away from a setting. */
const PREFIXES =
  /^(DATABASE|GEOCODER|IDENTIFY|MAIL|MAP_TILES|MARKET|METRICS|MIGRATE|RATE|REGISTRATIONS|S3|SESSION|SMTP|SPECIAL_HUB|STRIPE|SUPPORT|TURNSTILE)_/;

/** Names that other software sets: desktop sessions, mail folders, npm scripts, Postgres clients, Kubernetes services. */
const OTHERS = /^(MAIL|NODE|PG[A-Z]+|SESSION_MANAGER|\w+_SERVICE_(HOST|PORT)\w*|\w+_PORT_\d+_(TCP|UDP)\w*)$/;

/** Names in an environment that resemble settings but are not: `SMPT_URL`, `DEM`, `STRIPE_KEY`. Values are not read. */
export function findUnknownSettings(names: readonly string[], known: readonly string[]): UnknownSetting[] {
  const nearest = nearestFinder(known.map((key) => ({ key, name: null })));
  return names
    .filter((name) => !known.includes(name) && !OTHERS.test(name))
    .map((name) => ({ name, meant: nearest(name) }))
    .filter(({ name, meant }) => meant !== null || PREFIXES.test(name));
}
