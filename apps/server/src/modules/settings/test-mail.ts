import { transaction } from "@marketday/db";
import { z } from "zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { MailTemplateOf } from "../../lib/mail-template.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";

/** The template of test emails. */
export const TEST_MAIL = "test";
const Data = z.object({ template: z.string() });

const testMail: MailTemplateOf<Deps> = {
  about: "To a person of the staff who sends themselves an example of an email.",
  sort: "always",
  content({ env, mailTemplates }, data) {
    // Of an email that this version no longer has, nothing is sent.
    const template = mailTemplates[Data.parse(data).template];
    if (!template) return null;
    const example = template.sample(env.marketName);
    return { ...example, subject: `Test: ${example.subject}` };
  },
  sample: (market) => ({
    subject: "Test: Your order is confirmed",
    heading: "Your order is confirmed",
    parts: [`This is how an email of ${market} looks.`],
  }),
};
export const settingsMails = { [TEST_MAIL]: testMail };

/**
 * Sends an example of an email to the person who requests it, by the queue and the mail server of every other: what is wrong there is
 * seen in the list of failed work.
 * @param key names the request: a repeated one sends nothing more
 * @throws AppError 404
 */
export async function sendTestMail(
  ctx: Context,
  actor: StaffActor,
  { name, key }: { name: string; key: string },
): Promise<{ to: string }> {
  const { deps, now } = ctx;
  if (!Object.hasOwn(deps.mailTemplates, name)) throw notFound();
  await transaction(deps.db, async (tx) => {
    await enqueueMailTo(tx, {
      key: `test:${actor.staffId}:${key}`,
      template: TEST_MAIL,
      to: actor.email,
      data: { template: name },
      notBefore: null,
      isSecret: false,
      now,
    });
    await writeAuditEntry(tx, ctx, {
      action: "settings test-mail",
      subject: `staff:${actor.email}`,
      reason: "",
      data: { template: name },
    });
  });
  return { to: actor.email };
}
