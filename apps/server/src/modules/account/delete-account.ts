import type { AnyTx } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { endCustomerSessions } from "../identity/session-sql.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { deletePhotos } from "../problems/photos.ts";
import { markAddress } from "../referrals/address-mark.ts";
import { hasRenewingPass } from "../wagon-pass/store.ts";
import {
  emptyPerson,
  findOutside,
  findUnfinished,
  forgetAddresses,
  forgetBelongings,
  forgetTraces,
  type Outside,
} from "./delete-sql.ts";
import { findAddressesOf } from "./email-change-sql.ts";

/**
 * Removes a customer's personal data without checks, also after the restore of a backup that has it again. Returns the ended
 * sessions, and the files and cards to delete after the commit.
 */
export async function forgetPerson(
  tx: AnyTx,
  { deps, now }: Pick<Context, "deps" | "now">,
  customerId: CustomerId,
  email: string,
): Promise<{ ended: string[]; outside: Outside }> {
  const outside = await findOutside(tx, customerId);
  const emails = [...new Set([email.toLowerCase(), ...(await findAddressesOf(tx, customerId))])];
  const ended = await endCustomerSessions(tx, customerId, null, now);
  await forgetBelongings(tx, customerId);
  await forgetAddresses(tx, customerId, (address) => markAddress(address, deps.env.pepper));
  await forgetTraces(tx, customerId, emails, now);
  await emptyPerson(tx, customerId, now);
  return { ended, outside };
}

/** Deletes photos, cards and the provider customer after the rows. A failed deletion is repeated by the daily clean-up. */
async function forgetOutside({ deps }: Context, customerId: CustomerId, { photos, cards }: Outside): Promise<void> {
  const goes = [
    deletePhotos(deps.env.dataDir, photos),
    ...cards.map((ref) => deps.payments.deleteCard(ref)),
    deps.payments.deleteCustomer(customerId),
  ];
  for (const done of await Promise.allSettled(goes))
    if (done.status === "rejected")
      deps.log.warn({ err: done.reason as unknown }, "something of a deleted account is left");
}

/** "1 order", "2 orders". */
const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/**
 * Deletes an account for good (docs/product.md §3): personal data is removed, orders stay without it. Rejected while an order is to be
 * delivered or paid, because its customer must be reachable. A second time changes nothing.
 * A deletion by an operator or a person of the staff is audited with its reason. Returns the ended sessions.
 */
export async function deleteAccount(
  ctx: Context,
  customerId: CustomerId,
  reason = "",
  dryRun = false,
): Promise<string[]> {
  const { deps, now, actor } = ctx;
  const isByHand = actor.type === "operator" || actor.type === "staff";
  const gone = await withClientDryRun(deps.db, dryRun, async (tx) => {
    const person = await findUnfinished(tx, customerId);
    if (!person || person.email === null) return null;
    if (person.open_orders > 0 || person.open_payments > 0)
      throw new AppError(
        409,
        isByHand
          ? `Customer ${customerId} has ${counted(person.open_orders, "order")} not delivered and ${counted(person.open_payments, "payment")} under way. Deliver or cancel the orders first. Nothing was done.`
          : "You have an order on its way. Please cancel it, or delete your account once it has arrived.",
        { code: "order_open" },
      );
    const hadPass = await hasRenewingPass(tx, customerId);
    const forgotten = await forgetPerson(tx, ctx, customerId, person.email);
    if (isByHand)
      await writeAuditEntry(tx, ctx, { action: "customers delete", subject: `customer:${customerId}`, reason });
    await enqueueMailTo(tx, {
      key: `account-deleted:${customerId}`,
      template: "account-deleted",
      to: person.email,
      data: { hadPass },
      notBefore: null,
      isSecret: false,
      now,
    });
    return forgotten;
  });
  if (gone && !dryRun) await forgetOutside(ctx, customerId, gone.outside);
  return gone?.ended ?? [];
}
