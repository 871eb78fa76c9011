import { join } from "node:path";

import type { Env } from "./env.ts";
import { DEMO_IDENTITY } from "./settings.ts";

/** A setting that is valid but probably not intended. */
export interface SettingWarning {
  setting: string;
  /** One or two sentences that begin with the setting's name. */
  message: string;
}

/** The mail catcher of docker-compose.yml, which forwards nothing. */
const MAIL_CATCHER = "mail:1025";

function productionWarnings(env: Env): SettingWarning[] {
  const { name, email, phone } = DEMO_IDENTITY;
  const warnings: SettingWarning[] = [];
  if (env.marketName === name)
    warnings.push({ setting: "MARKET_NAME", message: `MARKET_NAME is the demo market's: shoppers see "${name}".` });
  if (env.supportEmail === email)
    warnings.push({
      setting: "SUPPORT_EMAIL",
      message: `SUPPORT_EMAIL is the demo market's, ${email}: no one reads what shoppers write there.`,
    });
  else if (env.mailFrom.includes(email))
    warnings.push({
      setting: "MAIL_FROM",
      message: `MAIL_FROM is the demo market's, ${email}: no one reads the replies.`,
    });
  if (env.supportPhone === phone)
    warnings.push({
      setting: "SUPPORT_PHONE",
      message: `SUPPORT_PHONE is the demo market's, ${phone}: no one answers it.`,
    });
  if (env.smtpUrl === null)
    warnings.push({
      setting: "SMTP_URL",
      message: `SMTP_URL is not set: receipts and links for a new password are not sent, they are files in ${join(env.dataDir, "mail")}.`,
    });
  else if (new URL(env.smtpUrl).host === MAIL_CATCHER)
    warnings.push({
      setting: "SMTP_URL",
      message:
        "SMTP_URL is the mail catcher of docker-compose.yml: receipts and links for a new password are not sent.",
    });
  if (env.payments === "test")
    warnings.push({
      setting: "PAYMENTS",
      message: "PAYMENTS is test: orders are paid with test cards, so no money arrives.",
    });
  return warnings;
}

/**
 * Warnings about a market's settings: the demo's name, sender and phone or unsent mail in production, and names that
 * resemble settings. Logged at the start, printed by `market doctor` and shown in the admin app.
 */
export const settingWarnings = (env: Env): SettingWarning[] => [
  ...(env.production ? productionWarnings(env) : []),
  ...env.unknownSettings.map(({ name, meant }) => ({
    setting: name,
    message: `${name} is not a setting of Marketday, so it has no effect. ${meant === null ? ".env.example lists them all." : `Did you mean ${meant}?`}`,
  })),
];
