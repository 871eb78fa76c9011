import type { settings } from "./settings.ts";

type SettingName = keyof typeof settings.shape;

/** A setting as the admin app may show it. */
export interface SettingValue {
  name: string;
  /** The value in use. Null: it has none, or it is secret. */
  value: string | null;
  isSet: boolean;
  isSecret: boolean;
}

/** How much of each setting may be shown: all of it, nothing, or of an address the host, because it may hold a password or a key. */
const SHOWN: Readonly<Record<SettingName, "all" | "nothing" | "host">> = {
  NODE_ENV: "all",
  PORT: "all",
  HOST: "all",
  PUBLIC_URL: "all",
  TRUST_PROXY: "all",
  DATA_DIR: "all",
  DATABASE_URL: "host",
  DATABASE_PASSWORD: "nothing",
  MIGRATE_DATABASE_URL: "host",
  MIGRATE_DATABASE_PASSWORD: "nothing",
  REPLICA_DATABASE_URL: "host",
  REPLICA_DATABASE_PASSWORD: "nothing",
  MARKET_NAME: "all",
  SUPPORT_EMAIL: "all",
  SUPPORT_PHONE: "all",
  SESSION_SECRET: "nothing",
  PASSWORD_PEPPER: "nothing",
  SESSION_IDLE_DAYS: "all",
  SESSION_ABSOLUTE_DAYS: "all",
  PASSWORD_MIN: "all",
  PAYMENTS: "all",
  STRIPE_SECRET_KEY: "nothing",
  STRIPE_PUBLISHABLE_KEY: "all",
  STRIPE_WEBHOOK_SECRET: "nothing",
  STRIPE_API_URL: "host",
  SMTP_URL: "host",
  MAIL_FROM: "all",
  SPECIAL_HUB_ID: "all",
  SPECIAL_HUB_TEXT: "all",
  MAP_TILES_URL: "host",
  MAP_TILES_CREDIT: "all",
  GEOCODER_URL: "host",
  BOT_CHECK: "all",
  TURNSTILE_SITE_KEY: "all",
  TURNSTILE_SECRET_KEY: "nothing",
  IDENTIFY_WEBHOOK_URL: "host",
  TAG_MANAGER_ID: "all",
  MARKET_OPERATOR: "all",
  METRICS_TOKEN: "nothing",
  LOG_LEVEL: "all",
  DRAIN_SECONDS: "all",
  DEMO: "all",
  RATE_LIMITS: "all",
  REGISTRATIONS_PER_HOUR: "all",
};

/** "postgres://db:5432/…" of an address with a user, a password, a path or a query. */
function hostOf(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  // A password with an unescaped / # or ?: what looks like the host is its beginning.
  if (`${pathname}${search}${hash}`.includes("@")) return `${protocol}//…`;
  const start = `${protocol}//${host}`;
  return [start, `${start}/`].includes(address) ? start : `${start}/…`;
}

/**
 * The settings as they may be shown. No secret is in the result, so that it can't be logged or sent by mistake.
 * @param given valid settings as text; absent: not set
 * @param used the values in use
 */
export const shownValues = (
  given: Readonly<Record<string, string | undefined>>,
  used: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): SettingValue[] =>
  Object.entries(SHOWN).map(([name, shown]) => {
    const value = used[name];
    const text = value === undefined ? null : typeof value === "object" ? value.join(", ") : String(value);
    const isShown = text !== null && text !== "" && shown !== "nothing";
    return {
      name,
      value: isShown ? (shown === "host" ? hostOf(text) : text) : null,
      isSet: given[name] !== undefined,
      isSecret: shown === "nothing",
    };
  });
