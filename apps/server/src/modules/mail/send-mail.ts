import type { Deps } from "../../deps.ts";
import type { OutgoingMail } from "../../gateways/mailer/mailer.ts";
import { processQueue } from "../../lib/process-queue.ts";
import { sha256 } from "../../lib/tokens.ts";
import { renderMail } from "./layout.ts";
import { enqueueDue, findRecipient, findUnsent, type MailRow, markSent, markUnsent } from "./store.ts";
import { unsubscribeToken } from "./unsubscribe-token.ts";

/** Mails on their way at the same time. */
const SENDERS = 3;

/** A mail as it leaves; null: there is nothing to say any more, or its reader does not want it. */
async function write(deps: Deps, mail: MailRow, now: Date): Promise<OutgoingMail | null> {
  const template = deps.mailTemplates[mail.template];
  if (!template) throw new Error(`There is no template ${mail.template}.`);
  const base = deps.env.publicUrl ?? `http://localhost:${deps.env.port}`;
  let unsubscribe: string | null = null;
  if (template.sort === "reminder") {
    const reader = await findRecipient(deps.db, mail.to_email);
    if (!reader?.wants_messages) return null;
    unsubscribe = `${base}/unsubscribe/${unsubscribeToken(reader.customer_id, deps.env.sessionSecrets)}`;
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
 * Sends every mail that is due, oldest first (`drain`). A crash after the server took a mail sends it once more, under the
 * same Message-ID; whether it is due follows the clock.
 * @returns how many were sent
 */
export async function sendDueMail(deps: Deps): Promise<number> {
  let sent = 0;
  await enqueueDue(deps.db, deps.clock.now());
  await processQueue(deps, "mail", {
    workers: SENDERS,
    async deliver(id) {
      const now = deps.clock.now();
      const mail = await findUnsent(deps.db, id, now);
      if (!mail) return;
      const outgoing = await write(deps, mail, now);
      if (outgoing) await deps.mailer.send(outgoing);
      await deps.failpoint("mail:sent");
      await markSent(deps.db, id, deps.clock.now());
      if (outgoing) sent += 1;
    },
    refused: (id, reason) => markUnsent(deps.db, id, reason),
  });
  return sent;
}
