import type { contactUs } from "@marketday/contracts/problems";
import { transaction } from "@marketday/db";
import type { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import type { Context } from "../identity/context.ts";
import { insertLead } from "../leads/store.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { spendProof } from "./store.ts";

type Contact = z.output<typeof contactUs.schema.body>;

const noProof = () =>
  new AppError(400, "The check for people did not pass. Please try again.", { code: "bot_check", field: "token" });

/**
 * A message from the contact form (spec §7.11): stored, mailed to the market with the sender as reply address, and confirmed. The
 * proof is spent in the same transaction, so that a failed attempt can be retried with the same proof.
 */
export async function sendContact(
  { deps, now }: Context,
  limits: Limits,
  ip: string,
  { token, ...contact }: Contact,
): Promise<void> {
  await limits.contact.take(ip);
  const proof = await deps.botCheck.verify(token, now, ip);
  if (!proof) throw noProof();
  const { emailAddress, zipCode, phoneNumber, message } = contact;
  const name = `${contact.firstName} ${contact.lastName}`;
  await transaction(deps.db, async (tx) => {
    if (!(await spendProof(tx, proof))) throw noProof();
    const lead = {
      kind: "contact",
      email: emailAddress,
      name,
      zipCode,
      data: { phone: phoneNumber, message },
    } as const;
    const id = await insertLead(tx, lead, now);
    if (id === null) return;
    const mail = { notBefore: null, isSecret: false, now };
    await enqueueMailTo(tx, {
      ...mail,
      key: `contact:${id}`,
      template: "contact",
      to: deps.env.supportEmail,
      data: { leadId: id },
    });
    await enqueueMailTo(tx, {
      ...mail,
      key: `contact-received:${id}`,
      template: "contact-received",
      to: emailAddress,
      data: {},
    });
  });
}
