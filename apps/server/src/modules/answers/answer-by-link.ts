import { sqlTransaction } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import { answerTokens } from "../../lib/tokens.ts";
import { answerMatter } from "./answer-matter.ts";
import { findLink, findMatter, type LinkRow, type MatterRow, spendLink } from "./store.ts";

/** What a link is good for now. `gone`: what it was about is not there any more. */
export type LinkState =
  | { state: "open"; link: LinkRow; matter: MatterRow }
  | { state: "used"; link: LinkRow; matter: MatterRow | null }
  | { state: "unknown" | "revoked" | "expired" | "gone" };

/** Reads a link out of a mail. A question that an operator answered counts as used. */
export async function readLink({ db, env }: Deps, token: string, now: Date): Promise<LinkState> {
  const id = answerTokens(env.sessionSecrets).read(token);
  const link = id === null ? null : await findLink(db, id);
  if (!link) return { state: "unknown" };
  if (link.revoked_at) return { state: "revoked" };
  const matter = await findMatter(db, link);
  if (link.used_at) return { state: "used", link, matter };
  if (!matter) return { state: "gone" };
  if (matter.answer !== null) return { state: "used", link, matter };
  if (link.expires_at <= now) return { state: "expired" };
  return { state: "open", link, matter };
}

/** A vendor answers: the link is spent with what it said. False when it was not open any more. */
export async function answerByLink({ db }: Deps, link: LinkRow, answer: string, now: Date): Promise<boolean> {
  return sqlTransaction(db, async (tx) => {
    const spent = await spendLink(tx, link.id, now);
    return spent !== null && (await answerMatter(tx, { matter: spent.matter, matterId: spent.matter_id }, answer, now));
  });
}
