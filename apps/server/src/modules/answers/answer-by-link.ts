import { transaction } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { answerSubject } from "./answer-subject.ts";
import { findLink, findSubjectDetails, type LinkRow, type SubjectDetails, spendLink } from "./store.ts";

/** The maximum of a thread's messages that a vendor sees, the latest ones. */
const MESSAGES_MOST = 20;

/** The state of a link. `gone`: its thread, question or review was deleted or hidden. */
export type LinkState =
  | { state: "open"; link: LinkRow; details: SubjectDetails }
  | { state: "used"; link: LinkRow; details: SubjectDetails | null }
  | { state: "revoked" | "expired" | "gone"; link: LinkRow }
  | { state: "unknown" };

/** Reads a link from a mail. A question that an operator answered counts as used. */
export async function readLink({ db, env }: Deps, token: string, now: Date): Promise<LinkState> {
  const id = vendorTokens("answer", env.sessionSecrets).read(token);
  const link = id === null ? null : await findLink(db, id);
  if (!link) return { state: "unknown" };
  if (link.revoked_at) return { state: "revoked", link };
  const details = await findSubjectDetails(db, link.subject, link.subject_id, MESSAGES_MOST);
  if (details?.isHidden) return { state: "gone", link };
  if (link.used_at) return { state: "used", link, details };
  if (!details) return { state: "gone", link };
  if (details.answer !== null) return { state: "used", link, details };
  if (link.expires_at <= now) return { state: "expired", link };
  return { state: "open", link, details };
}

/** Stores a vendor's answer and spends the link in one transaction. False if the link was no longer open. */
export async function answerByLink({ db }: Deps, link: LinkRow, answer: string, now: Date): Promise<boolean> {
  return transaction(db, async (tx) => {
    const spent = await spendLink(tx, link.id, now);
    return (
      spent !== null && (await answerSubject(tx, { subject: spent.subject, subjectId: spent.subject_id }, answer, now))
    );
  });
}
