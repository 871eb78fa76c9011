import { z } from "zod";

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

/** What the demo market says of itself; in production it is somebody else's (`settingWarnings`). */
export const DEMO_IDENTITY = {
  name: "Little Wagon",
  email: "hello@little-wagon.example",
  phone: "(312) 555-0142",
} as const;

/** Every setting of docs/product.md §16 under its name in the environment; `.env.example` explains the same list. */
export const settings = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: whole(0, 65_535).default(3000),
  HOST: words(1, 255).default("localhost"),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: list.default([]),
  DATA_DIR: words(1, 1000).default("var"),
  DATABASE_URL: database("DATABASE_PASSWORD").optional(),
  DATABASE_PASSWORD: words(1, 1000).optional(),
  MIGRATE_DATABASE_URL: database("MIGRATE_DATABASE_PASSWORD").optional(),
  MIGRATE_DATABASE_PASSWORD: words(1, 1000).optional(),
  MARKET_NAME: words(1, 60).default(DEMO_IDENTITY.name),
  SUPPORT_EMAIL: email.default(DEMO_IDENTITY.email),
  SUPPORT_PHONE: words(1, 40).default(DEMO_IDENTITY.phone),
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
  MARKET_OPERATOR: words(1, 100).optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DRAIN_SECONDS: whole(0, 300).optional(),
  DEMO: oneOf(["auto", "off"]).default("auto"),
  RATE_LIMITS: oneOf(["on", "off"]).default("on"),
  REGISTRATIONS_PER_HOUR: whole(20, 10_000).default(240),
});

/** The names of all settings. */
export const settingNames = Object.keys(settings.shape);
