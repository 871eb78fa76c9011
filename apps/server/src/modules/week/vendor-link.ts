import { transaction } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { AppError } from "../../lib/app-error.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { getDayFacts } from "./get-day-facts.ts";
import { findLiveLink, issueHarvestLink, revokeHarvestLinks } from "./harvest-links.ts";
import { assertFrozen, vendorNamed } from "./set-arrivals.ts";

export interface VendorLinkRequest {
  /** Slug or id. */
  hub: string;
  /** YYYY-MM-DD */
  day: string;
  /** Slug or name. */
  vendor: string;
  /** The links that were given out no longer work. */
  replace: boolean;
  /** Writes nothing. */
  dryRun: boolean;
}

export interface VendorLink {
  vendor: string;
  /** Of the page, without the market's address; null: a dry run, and there is none yet. */
  path: string | null;
  /** It was not there before. */
  isNew: boolean;
}

/**
 * The link by which a vendor confirms what they bring to a delivery day (docs/product.md §10): the one that was mailed, or a new one.
 * @throws AppError 404 for an unknown hub, a date without a delivery, and a vendor who brings nothing; 409 `still_open` and
 * `cutoff_not_run` before the cutoff, `day_over` after the day
 */
export async function vendorLink(
  ctx: Context,
  { hub, day, vendor: name, replace, dryRun }: VendorLinkRequest,
): Promise<VendorLink> {
  const { db, env } = ctx.deps;
  const facts = await getDayFacts(ctx, hub, day);
  const today = dateInZone(ctx.now, facts.hub.timeZone);
  if (today > calendarDate(day))
    throw new AppError(409, `${formatLong(calendarDate(day), today)} is over, and its links no longer work.`, {
      code: "day_over",
    });
  assertFrozen(facts, day, ctx.now, "Vendors have links");
  const vendor = vendorNamed(facts.vendors, name);
  const share = { deliveryId: facts.id, vendorId: vendor.id };
  return transaction(db, async (tx) => {
    const { email } = await tx.vendor.findUniqueOrThrow({ where: { id: vendor.id }, select: { email: true } });
    const live = replace ? null : await findLiveLink(tx, share, email);
    if (replace && !dryRun) await revokeHarvestLinks(tx, share, ctx.now);
    const id = live ?? (dryRun ? null : await issueHarvestLink(tx, share, email, ctx.now));
    if (live === null && !dryRun)
      await writeAuditEntry(tx, ctx, {
        action: "vendors link",
        subject: `delivery:${facts.id}`,
        reason: "",
        data: { vendors: [vendor.slug], isReplaced: replace },
      });
    const path = id && `/farm/${vendorTokens("harvest", env.sessionSecrets).sign(id)}`;
    return { vendor: vendor.name, path, isNew: live === null };
  });
}
