import { join } from "node:path";

import type { Env } from "./env.ts";
import { DEMO_IDENTITY } from "./settings.ts";

/** A setting that lets the market start and is probably not what its owner wants. */
export interface SettingWarning {
  setting: string;
  /** One sentence or two for people, beginning with the setting's name. */
  message: string;
}

/** The mail catcher of docker-compose.yml, which sends nothing on. */
const MAIL_CATCHER = "mail:1025";

function productionWarnings(env: Env): SettingWarning[] {
  const { name, email, phone } = DEMO_IDENTITY;
  const found: SettingWarning[] = [];
  if (env.marketName === name)
    found.push({ setting: "MARKET_NAME", message: `MARKET_NAME is the demo market's: shoppers see "${name}".` });
  if (env.supportEmail === email)
    found.push({
      setting: "SUPPORT_EMAIL",
      message: `SUPPORT_EMAIL is the demo market's, ${email}: no one reads what shoppers write there.`,
    });
  else if (env.mailFrom.includes(email))
    found.push({
      setting: "MAIL_FROM",
      message: `MAIL_FROM is the demo market's, ${email}: no one reads the replies.`,
    });
  if (env.supportPhone === phone)
    found.push({
      setting: "SUPPORT_PHONE",
      message: `SUPPORT_PHONE is the demo market's, ${phone}: no one answers it.`,
    });
  if (env.smtpUrl === null)
    found.push({
      setting: "SMTP_URL",
      message: `SMTP_URL is not set: receipts and links for a new password are not sent, they are files in ${join(env.dataDir, "mail")}.`,
    });
  else if (new URL(env.smtpUrl).host === MAIL_CATCHER)
    found.push({
      setting: "SMTP_URL",
      message:
        "SMTP_URL is the mail catcher of docker-compose.yml: receipts and links for a new password are not sent.",
    });
  if (env.payments === "test")
    found.push({
      setting: "PAYMENTS",
      message: "PAYMENTS is test: orders are paid with test cards, so no money arrives.",
    });
  return found;
}

/**
 * What a market's owner should know about its settings: the demo's name, sender and phone or unsent mail in production, and
 * names that look like settings and are none. The start prints it, `market doctor` repeats it, the admin app shows it.
 */
export const settingWarnings = (env: Env): SettingWarning[] => [
  ...(env.production ? productionWarnings(env) : []),
  ...env.unknownSettings.map(({ name, meant }) => ({
    setting: name,
    message: `${name} is not a setting of Marketday, so it has no effect. ${meant === null ? ".env.example lists them all." : `Did you mean ${meant}?`}`,
  })),
];
