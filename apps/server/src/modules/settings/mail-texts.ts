import type { MailText } from "@marketday/contracts/admin/settings";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { renderExample } from "../mail/example.ts";
import { TEST_MAIL } from "./test-mail.ts";

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

/** An email with made-up data, as HTML and as text. @throws AppError 404 */
export function readMailText(deps: Deps, name: string): MailText & { html: string; text: string } {
  const mail = renderExample(deps, name);
  const template = deps.mailTemplates[name];
  if (!mail || !template) throw notFound();
  const { subject, html, text } = mail;
  return { name, about: template.about, canBeStopped: template.sort === "reminder", subject, html, text };
}

/** The document without the addresses of its links: in a frame they would replace the example by a page that can't be framed. */
export const withoutLinks = (html: string): string => html.replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, "$1");
