import type { SqlTx } from "@marketday/db";

import type { Env } from "../../env.ts";
import { enqueueMailTo } from "../mail/store.ts";
import { findVendorEmail, issueLink, type Matter } from "./store.ts";

interface Asked {
  vendorId: number;
  matter: Matter;
  matterId: number;
  /** The event: one mail for each message, question, review. */
  mailKey: string;
  /** Of a thread: which message. */
  messageId?: number;
  now: Date;
}

/**
 * Mails a vendor a message, question or review with the link to answer it (docs/product.md §10), in the transaction that keeps
 * it. A vendor without an address: to the market's own, whose operators answer for them.
 */
export async function askVendor(tx: SqlTx, env: Env, { mailKey, messageId, ...about }: Asked): Promise<void> {
  const linkId = await issueLink(tx, about);
  await enqueueMailTo(tx, {
    key: mailKey,
    template: "vendor-asked",
    to: (await findVendorEmail(tx, about.vendorId)) ?? env.supportEmail,
    data: { linkId, ...(messageId === undefined ? {} : { messageId }) },
    notBefore: null,
    isSecret: false,
    now: about.now,
  });
}
