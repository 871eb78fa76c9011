import { transaction } from "@marketday/db";
import { addMs, Hour } from "@marketday/domain/time";

import { AppError, type ErrorDetails } from "../../lib/app-error.ts";
import { countEntriesSince } from "../audit/audit-sql.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { findOwnerEmails } from "./person-store.ts";

/** How a person proves who they are. */
export type Factor = "passkey" | "password" | "recovery_code";

/** A person as the audit log names them. */
interface KnownPerson {
  id: number;
  email: string;
}

/** What was refused, for the audit log. */
interface Refused {
  /** Null: of no person we know, which is not recorded: anyone could fill the log. */
  person: KnownPerson | null;
  factor: Factor;
  /** Why, in words; no secret. */
  reason: string;
  /** A passkey whose counter went back: there may be a copy of it. */
  isCopy?: boolean;
}

const SIGN_IN_FAILED = "We couldn't sign you in. Check your details and try again.";

/** A proof of identity that does not fit. The response is one sentence for all reasons; only the audit log has the reason. */
export class ProofRefused extends AppError {
  readonly refused: Refused;

  constructor(
    refused: Refused,
    status = 401,
    message = SIGN_IN_FAILED,
    details: ErrorDetails = { code: "sign_in_failed" },
  ) {
    super(status, message, details);
    const { person } = refused;
    // Nothing else of the row: an error may be logged.
    this.refused = { ...refused, person: person && { id: person.id, email: person.email } };
  }
}

/** The response of a new passkey that does not fit. */
export const passkeyRefused = (person: KnownPerson, reason: string) =>
  new ProofRefused({ person, factor: "passkey", reason }, 400, "That passkey couldn't be saved. Please try again.", {
    code: "passkey_failed",
  });

/** The audit log's subject of a person. */
export const subjectOf = ({ email }: { email: string }): string => `staff:${email}`;

/** The names of refusals in the audit log. */
export type RefusedAction = "staff sign-in refused" | "staff step-up refused" | "staff set-up refused";
const REFUSED_ACTIONS: readonly RefusedAction[] = [
  "staff sign-in refused",
  "staff step-up refused",
  "staff set-up refused",
];

/** Refusals of one person within an hour after which the owners are mailed. */
const MAILED_AFTER = 10;

/**
 * Records a refusal of a known person. Ten within an hour are mailed to the owners, at most once an hour; so is every use of a passkey
 * whose counter went back.
 */
export async function recordRefusal(
  ctx: Context,
  action: RefusedAction,
  { person, factor, reason, isCopy = false }: Refused,
  device: string,
): Promise<void> {
  if (!person) return;
  const { now } = ctx;
  const subject = subjectOf(person);
  const hour = Math.floor(now.getTime() / Hour.ms);
  await transaction(ctx.deps.db, async (tx) => {
    await writeAuditEntry(tx, ctx, { action, subject, reason, data: { factor, device } });
    const failures = await countEntriesSince(tx, { subject, actions: REFUSED_ACTIONS, since: addMs(now, -Hour.ms) });
    const mails = [
      ...(failures >= MAILED_AFTER ? ["staff-sign-in-failures"] : []),
      ...(isCopy ? ["staff-passkey-copied"] : []),
    ];
    if (mails.length === 0) return;
    for (const to of await findOwnerEmails(tx))
      for (const template of mails)
        await enqueueMailTo(tx, {
          key: `${template}:${person.id}:${hour}:${to}`,
          template,
          to,
          data: { email: person.email },
          notBefore: null,
          isSecret: false,
          now,
        });
  });
}
