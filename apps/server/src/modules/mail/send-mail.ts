import { createHmac, timingSafeEqual } from "node:crypto";

import type { Deps } from "../../deps.ts";
import type { OutgoingMail } from "../../gateways/mailer/mailer.ts";
import { marketUrl } from "../../lib/market-url.ts";
import { processQueue } from "../../lib/process-queue.ts";
import { sha256 } from "../../lib/tokens.ts";
import { renderMail } from "./layout.ts";
import { enqueueDue } from "./mail-sql.ts";
import { findRecipient, findUnsent, type MailRow, markSent, markUnsent } from "./outbox-store.ts";

/** Mails sent at the same time. */
const SENDERS = 3;

const macOf = (customerId: number, secret: string) =>
  createHmac("sha256", secret).update(`unsubscribe ${customerId}`).digest("base64url").slice(0, 32);

/** The token of an unsubscribe link: identifies the customer, grants nothing else and does not expire. */
export const unsubscribeToken = (customerId: number, [secret]: readonly string[]): string => {
  if (secret === undefined) throw new Error("no session secret");
  return `${customerId}.${macOf(customerId, secret)}`;
};

/** The customer id of an unsubscribe token; null if its signature is invalid. */
export function readUnsubscribeToken(token: string, secrets: readonly string[]): number | null {
  const [, id, mac] = /^([1-9]\d{0,9})\.([\w-]{32})$/.exec(token) ?? [];
  if (id === undefined || mac === undefined) return null;
  const received = Buffer.from(mac);
  const isValid = secrets.some((secret) => timingSafeEqual(received, Buffer.from(macOf(Number(id), secret))));
  return isValid ? Number(id) : null;
}

/** Renders a mail. Null: it no longer applies, or its recipient has unsubscribed. */
async function render(deps: Deps, mail: MailRow, now: Date): Promise<OutgoingMail | null> {
  const template = deps.mailTemplates[mail.template];
  if (!template) throw new Error(`There is no template ${mail.template}.`);
  const base = marketUrl(deps.env);
  let unsubscribe: string | null = null;
  if (template.sort === "reminder") {
    const recipient = await findRecipient(deps.db, mail.to_email);
    if (!recipient?.subscribed_all_messages) return null;
    unsubscribe = `${base}/unsubscribe/${unsubscribeToken(recipient.id, deps.env.sessionSecrets)}`;
  }
  const content = await template.content(deps, mail.data, now);
  if (!content) return null;
  return {
    to: mail.to_email,
    messageId: `<${sha256(mail.key).slice(0, 32)}@${new URL(base).hostname}>`,
    unsubscribe,
    ...renderMail(content, deps.env, unsubscribe),
  };
}

/**
 * Sends every mail that is due, oldest first (`processQueue`). After a crash between the mail server's acceptance and the commit, the
 * mail is sent again with the same Message-ID.
 * @returns the number of mails sent
 */
export async function sendDueMail(deps: Deps, signal?: AbortSignal): Promise<number> {
  let sent = 0;
  await enqueueDue(deps.db, deps.clock.now());
  await processQueue(deps, "mail", {
    workers: SENDERS,
    signal,
    async deliver(id) {
      const now = deps.clock.now();
      const mail = await findUnsent(deps.db, id, now);
      if (!mail) return;
      const outgoing = await render(deps, mail, now);
      if (outgoing) await deps.mailer.send(outgoing);
      await deps.failpoint("mail:sent");
      await markSent(deps.db, mail, deps.clock.now());
      if (outgoing) sent += 1;
    },
    refused: (id, reason) => markUnsent(deps.db, id, reason),
  });
  return sent;
}
