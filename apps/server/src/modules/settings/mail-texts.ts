import type { MailText } from "@marketday/contracts/admin/settings";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { renderMail } from "../mail/layout.ts";
import { TEST_MAIL } from "./test-mail.ts";

/** Where the link to stop reminders leads in an example. */
const UNSUBSCRIBE = "/unsubscribe/example";

/** Every email that the market sends, by name, except test emails. */
export const listMailTexts = ({ env, mailTemplates }: Deps): MailText[] =>
  Object.entries(mailTemplates)
    .filter(([name]) => name !== TEST_MAIL)
    .map(([name, { about, sort, sample }]) => ({
      name,
      about,
      subject: sample(env.marketName).subject,
      canBeStopped: sort === "reminder",
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** An email with made-up data, as it is sent. @throws AppError 404 */
export function renderExample(
  { env, mailTemplates }: Deps,
  name: string,
): MailText & Pick<ReturnType<typeof renderMail>, "html" | "text"> {
  const template = Object.hasOwn(mailTemplates, name) ? mailTemplates[name] : undefined;
  if (!template) throw notFound();
  const canBeStopped = template.sort === "reminder";
  const mail = renderMail(template.sample(env.marketName), env, canBeStopped ? UNSUBSCRIBE : null);
  return { name, about: template.about, canBeStopped, subject: mail.subject, html: mail.html, text: mail.text };
}
