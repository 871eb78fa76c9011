import { addMs, Minute, Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { MailerAway, type OutgoingMail } from "../../gateways/mailer/mailer.ts";
import { sha256 } from "../../lib/tokens.ts";
import { renderMail } from "./layout.ts";
import { mailTemplates } from "./registry.ts";
import { claimMail, findReader, type MailRow, markSent, markUnsent } from "./store.ts";
import { unsubscribeToken } from "./unsubscribe-token.ts";

/** A sender that dies holds a mail no longer than this. */
const LEASE_MS = 1 * Minute.ms;
/** Mails on their way at the same time: the mail server is waited for, Postgres is not. */
const SENDERS = 3;
/** While nobody answers the phone, the oldest mail asks again at every tick, and only it. */
const AWAY_MS = 10 * Second.ms;

/** 1 s, 2 s, 4 s … at most 5 minutes between two tries (failures.md E2). */
const pauseAfter = (attempts: number) => Math.min(5 * Minute.ms, 2 ** (attempts - 1) * Second.ms);

/** A mail as it leaves; null: there is nothing to say any more, or its reader does not want it. */
async function write(deps: Deps, mail: MailRow, now: Date): Promise<OutgoingMail | null> {
  const template = mailTemplates[mail.template];
  if (!template) throw new Error(`There is no template ${mail.template}.`);
  const base = deps.env.publicUrl ?? `http://localhost:${deps.env.port}`;
  let unsubscribe: string | null = null;
  if (template.sort === "reminder") {
    const reader = await findReader(deps.db, mail.to_email);
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
 * Sends every mail that is due, oldest first; one that is not taken waits and the others go on. When no server answers,
 * nothing is spent on the others: the oldest asks again until it is back, then all go (failures.md E1). A crash after
 * the server took a mail sends it once more, under the same Message-ID. Leases follow real time.
 */
export async function sendDueMail(deps: Deps): Promise<number> {
  let sent = 0;
  let isAway = false;
  /** One mail; false: none is due, or nobody takes any. */
  const one = async (): Promise<boolean> => {
    const now = deps.clock.now();
    const mail = isAway ? null : await claimMail(deps.db, now, addMs(now, LEASE_MS));
    if (!mail) return false;
    try {
      const outgoing = await write(deps, mail, now);
      if (outgoing) await deps.mailer.send(outgoing);
      await deps.at("mail:sent");
      await markSent(deps.db, mail.id, deps.clock.now());
      if (outgoing) sent += 1;
    } catch (error) {
      isAway ||= error instanceof MailerAway;
      const pause = error instanceof MailerAway ? AWAY_MS : pauseAfter(mail.attempts);
      deps.log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, "a mail was not taken");
      const reason = error instanceof Error ? error.message : String(error);
      await markUnsent(deps.db, mail.id, reason, addMs(deps.clock.now(), pause));
    }
    return !isAway;
  };
  const untilNoneIsLeft = async () => {
    while (await one());
  };
  // The first goes alone: it finds out whether anybody takes mails at all.
  if (await one()) await Promise.all(Array.from({ length: SENDERS }, untilNoneIsLeft));
  return sent;
}
