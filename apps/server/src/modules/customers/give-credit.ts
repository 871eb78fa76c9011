import type { Tx } from "@marketday/db";
import { cents, formatUsd, fromDollars, toDollars } from "@marketday/domain/money";
import { addMs, Second } from "@marketday/domain/time";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { EarlierOperation } from "../audit/find-duplicate-operation.ts";
import { checkCreditAmount, grantCredit } from "../gift-cards/grant-credit.ts";
import { takeBackCredit } from "../gift-cards/take-back-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findNewestAction } from "../staff-actions/store.ts";
import { requireMayGrant } from "./give-limit.ts";
import { getStaffCustomer } from "./staff-customer.ts";

/** The email about a grant waits so long: a grant that is undone meanwhile sends none. */
const MAIL_HOLD_MS = 10 * Second.ms;

const Granted = z.object({
  customerId: z.number(),
  amountCents: z.number(),
  /** Its ledger transaction. */
  booking: z.number(),
  /** The `Idempotency-Key` of its request. */
  requestKey: z.string().nullable(),
});

const alreadyGiven = (name: string, amountCents: number, { at, who }: EarlierOperation) =>
  new AppError(
    409,
    `${name || "This person"} was given ${formatUsd(cents(amountCents))} for this reason already, on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC by ${who.replace(/^\w+:/, "")}. Nothing was done. To give it again, give another reason.`,
    { code: "already_given" },
  );

/**
 * Gives a person store credit, as `market credit grant` does, at once; its email is held for ten seconds.
 * @param requestKey the `Idempotency-Key`: a request that is repeated after its server died is answered with its own action
 * @returns the id of its action
 * @throws AppError 404; 403, also `over_limit`, `step_up_required`; 409 `deleted`, `already_given` within 24 hours; what `grantCredit`
 * refuses
 */
export async function giveCredit(
  ctx: Context,
  id: number,
  { amount, reason }: { amount: number; reason: string },
  requestKey: string | null,
): Promise<number> {
  const { deps, now } = ctx;
  const amountCents = fromDollars(amount);
  checkCreditAmount(amountCents);
  const person = await getStaffCustomer(ctx, id, "credit.grant");
  const hubId = requireMayGrant(ctx, person, amountCents);
  const subject = `customer:${id}`;
  let actionId: number | null = null;
  const store = async (tx: Tx, booking: number): Promise<number> => {
    actionId = await storeAction(tx, ctx, {
      hubId,
      deliveryId: null,
      subject,
      input: { customerId: id, amountCents, booking, requestKey } satisfies z.infer<typeof Granted>,
      // An action without a market is read by the staff of all markets.
      summary: {
        kind: "grant_credit",
        customerId: id,
        name: hubId === null ? "" : person.name,
        amount: toDollars(cents(amountCents)),
      },
    });
    return actionId;
  };
  const before = await grantCredit(
    ctx,
    { id: person.customerId, email: person.email },
    { amountCents, reason, key: null, dryRun: false, mailAt: addMs(now, MAIL_HOLD_MS), storeAction: store },
  );
  await deps.failpoint("credit:granted");
  if (actionId !== null) return actionId;
  const own = requestKey === null ? null : await findNewestAction(deps.db, "grant_credit", subject);
  if (own?.staff.id === person.actor.staffId && Granted.parse(own.input).requestKey === requestKey) return own.id;
  throw alreadyGiven(person.name, amountCents, before!);
}

/** Takes granted credit back. @throws AppError as `takeBackCredit`: 409 `spent`, `deleted` */
export async function reverseCredit(
  ctx: Context,
  action: ActionRow,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { customerId, amountCents, booking } = Granted.parse(action.input);
  await takeBackCredit(
    ctx,
    { customerId: asCustomerId(customerId), amountCents, booking, actionId: action.id },
    complete,
  );
}
