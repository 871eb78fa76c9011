import { transaction } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { isSameName } from "@marketday/domain/names";
import { formatOrderBy } from "@marketday/domain/order";

import { AppError } from "../../lib/app-error.ts";
import { actorName, writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { type ArrivalChange, putArrival } from "./arrivals-store.ts";
import type { DayFactsRow } from "./day-facts-sql.ts";
import { getDayFacts } from "./get-day-facts.ts";

type Vendor = DayFactsRow["vendors"][number];

export interface ArrivalRequest {
  /** Slug or id. */
  hub: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** Ids, slugs or names of vendors who bring something; null: all of them. */
  vendors: readonly (number | string)[] | null;
  /** What is not given stays. */
  isConfirmed?: boolean | undefined;
  hasArrived?: boolean | undefined;
  /** Of the one vendor, as the person saw it; 0: nothing was known. Default: any. */
  expectedVersion?: number | undefined;
  /** Writes nothing. */
  dryRun?: boolean;
}

/** The vendors of whom something changed, and those of whom it was known already. */
export interface Arrivals {
  hub: string;
  day: string;
  changed: Pick<Vendor, "id" | "slug" | "name">[];
  unchanged: Pick<Vendor, "id" | "slug" | "name">[];
}

/** A vendor of the day by id, slug or name. @throws AppError 404 `no_such_vendor` that lists the vendors of the day */
export function vendorNamed(vendors: readonly Vendor[], key: number | string): Vendor {
  const found = vendors.find(({ id, slug, name }) =>
    typeof key === "number" ? id === key : slug === key || isSameName(slug, key) || isSameName(name, key),
  );
  if (found) return found;
  const list = vendors.map(({ slug }) => slug).join(", ");
  const who = typeof key === "number" ? "This vendor brings" : `"${key}" brings`;
  throw new AppError(
    404,
    `${who} nothing for this day. ${list === "" ? "There are no orders." : `Vendors of the day: ${list}.`}`,
    { code: "no_such_vendor" },
  );
}

/**
 * @param what is possible after the cutoff
 * @throws AppError 409 `still_open` before the cutoff, `cutoff_not_run` until it has run: what vendors bring is not known yet
 */
export function assertFrozen(
  { hub, takes_orders: isOpen, is_cut_off, versions, cutoff_at }: DayFactsRow,
  day: string,
  now: Date,
  what = "Vendors can be checked in",
) {
  if (versions.length > 0 || (!isOpen && is_cut_off)) return;
  const long = formatLong(calendarDate(day), dateInZone(now, hub.timeZone));
  throw isOpen
    ? new AppError(
        409,
        `Orders of ${hub.name} for ${long} are open until ${formatOrderBy(cutoff_at, hub.timeZone, now)}. ${what} after that.`,
        { code: "still_open" },
      )
    : new AppError(409, `The cutoff of ${hub.name} for ${long} was not run. ${what} after it.`, {
        code: "cutoff_not_run",
      });
}

const isKnown = (vendor: Vendor, { isConfirmed, hasArrived }: ArrivalRequest): boolean =>
  (isConfirmed === undefined || isConfirmed === (vendor.confirmed !== null)) &&
  (hasArrived === undefined || hasArrived === (vendor.arrived !== null));

/** What differs from what is known. */
const changeOf = (vendor: Vendor, { isConfirmed, hasArrived }: ArrivalRequest, ctx: Context): ArrivalChange => {
  const record = (is: boolean) => (is ? { at: ctx.now, by: actorName(ctx.actor) } : { at: null, by: null });
  return {
    ...(isConfirmed !== undefined && isConfirmed !== (vendor.confirmed !== null) && { confirmed: record(isConfirmed) }),
    ...(hasArrived !== undefined && hasArrived !== (vendor.arrived !== null) && { arrived: record(hasArrived) }),
  };
};

/** Someone else has changed a vendor since it was read. */
export class VendorChanged extends AppError {
  constructor({ name }: Pick<Vendor, "name">) {
    super(409, `${name} was changed in the meantime. Check it before you change it again.`, { code: "conflict" });
  }
}

/**
 * Writes all of it, or nothing. False: a vendor has changed since it was read, and any version is expected.
 * @throws AppError 409 `conflict` when a vendor has another version than the expected one
 */
async function writeArrivals(
  ctx: Context,
  deliveryId: number,
  changed: readonly Vendor[],
  request: ArrivalRequest,
): Promise<boolean> {
  const { isConfirmed, hasArrived, expectedVersion } = request;
  return transaction(ctx.deps.db, async (tx) => {
    for (const vendor of changed) {
      const expected = expectedVersion ?? vendor.version;
      const share = { deliveryId, vendorId: vendor.id };
      if (expected !== vendor.version || !(await putArrival(tx, share, changeOf(vendor, request, ctx), expected)))
        throw new VendorChanged(vendor);
    }
    await writeAuditEntry(tx, ctx, {
      action: hasArrived === undefined ? "vendors confirmed" : "vendors arrived",
      subject: `delivery:${deliveryId}`,
      reason: "",
      data: {
        vendors: changed.map(({ slug }) => slug),
        ...(isConfirmed !== undefined && { isConfirmed }),
        ...(hasArrived !== undefined && { hasArrived }),
      },
    });
    return true;
  }).catch((error: unknown) => {
    if (!(error instanceof VendorChanged) || expectedVersion !== undefined) throw error;
    return false;
  });
}

/**
 * Records that vendors have confirmed their share of a delivery day, or that it has arrived, or takes that back (docs/product.md §18).
 * What is known already stays, with its person and time, whatever version was expected: a repeat changes nothing.
 * @throws AppError 404 for an unknown hub, a date without a delivery, and a vendor who brings nothing; 409 `still_open` and
 * `cutoff_not_run` for arrivals before the cutoff; 409 `conflict` when someone else has changed the vendor since
 */
export async function setArrivals(ctx: Context, request: ArrivalRequest): Promise<Arrivals> {
  const facts = await getDayFacts(ctx, request.hub, request.day);
  const named = request.vendors?.map((key) => vendorNamed(facts.vendors, key)) ?? facts.vendors;
  // One order of writing for everyone, so that two people do not wait for each other.
  const vendors = [...new Set(named)].toSorted((a, b) => a.id - b.id);
  if (request.hasArrived === true) assertFrozen(facts, request.day, ctx.now);
  const changed = vendors.filter((vendor) => !isKnown(vendor, request));
  const unchanged = vendors.filter((vendor) => isKnown(vendor, request));
  if (!request.dryRun && changed.length > 0 && !(await writeArrivals(ctx, facts.id, changed, request)))
    // Someone else was faster, and the request is for whatever is known now.
    return setArrivals(ctx, request);
  const summary = ({ id, slug, name }: Vendor) => ({ id, slug, name });
  return { hub: facts.hub.slug, day: request.day, changed: changed.map(summary), unchanged: unchanged.map(summary) };
}
