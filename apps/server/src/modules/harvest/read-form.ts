import { type Harvest, type HarvestItem, openItems } from "./read-harvest.ts";
import { type Coming, type HarvestReport, isStored, REASONS } from "./report-harvest.ts";

/** What a vendor has sent and must check. Nothing of it is stored. */
export interface Rejected {
  status: 400 | 409;
  error: string;
  /** The numbers that were typed, by variant. One that was all of the item is all of it, also when more or fewer are ordered now. */
  typed: ReadonlyMap<number, string>;
  /** The reason that was chosen for what is lowered now, and those at items that were lowered before, by variant. */
  reason: string;
  reasons: ReadonlyMap<number, string>;
  /** Variants whose number cannot be right. */
  wrong: ReadonlySet<number>;
}

type Fields = Record<string, unknown>;

/** Characters of a number that are read: more than it has. */
const MAX_LENGTH = 20;

/** A field of an item: "came-12". */
const fieldOf = (fields: Fields, name: string, { variantId }: HarvestItem): string => {
  const value = fields[`${name}-${variantId}`];
  return typeof value === "string" ? value.trim().slice(0, MAX_LENGTH) : "";
};
const reasonOf = (value: unknown): string => REASONS.find((each) => each === value) ?? "";

/** The version of the vendor's count, as the form returns it. */
export const versionOf = ({ own }: HarvestItem): string => (own ? `${own.id}.${own.version}` : "");

/** How many of an item come, and why less: chosen at an item that was lowered before, otherwise for all that is lowered now; null: no number. */
function comingIn(fields: Fields, item: HarvestItem): Coming | null {
  const text = fieldOf(fields, "came", item);
  const isNumber = /^\d{1,6}$/.test(text) && Number(text) <= item.ordered;
  const chosen = fields[`reason-${item.variantId}`] ?? fields["reason"];
  return isNumber ? { came: Number(text), reason: reasonOf(chosen) } : null;
}

function reject(
  fields: Fields,
  { items }: Harvest,
  { status, error, wrong = [] }: Pick<Rejected, "status" | "error"> & { wrong?: readonly HarvestItem[] },
): { rejected: Rejected } {
  const typed = new Map<number, string>();
  const reasons = new Map<number, string>();
  for (const item of items) {
    const came = fieldOf(fields, "came", item);
    if (fieldOf(fields, "of", item) !== "" && came !== fieldOf(fields, "was", item))
      typed.set(item.variantId, came === fieldOf(fields, "of", item) ? String(item.ordered) : came);
    const chosen = fields[`reason-${item.variantId}`];
    if (chosen !== undefined) reasons.set(item.variantId, reasonOf(chosen));
  }
  const reason = reasonOf(fields["reason"]);
  return {
    rejected: { status, error, typed, reason, reasons, wrong: new Set(wrong.map(({ variantId }) => variantId)) },
  };
}

/** The form, after the list or the vendor's own counts have changed since the page was opened. */
export const rejectChanged = (fields: Fields, harvest: Harvest) =>
  reject(fields, harvest, {
    status: 409,
    error:
      "The list or your numbers have changed since you opened this page. Nothing was saved: please check the numbers and send them again.",
  });

/**
 * Reads the form of a harvest's page. It is rejected when the list or the vendor's own counts have changed since the page was opened, and
 * when a number is not one from 0 to what is ordered. What is stored already is no change.
 */
export function readForm(fields: Fields, harvest: Harvest): { report: HarvestReport } | { rejected: Rejected } {
  const items = openItems(harvest);
  if (items.length === 0)
    return reject(fields, harvest, {
      status: 409,
      error: harvest.hasArrived
        ? "The market has already checked you in. Please tell them what is different."
        : "None of these numbers can be changed here. Please tell the market what is different.",
    });
  const isChanged = (item: HarvestItem) => {
    if (fieldOf(fields, "of", item) !== String(item.ordered)) return true;
    const coming = comingIn(fields, item);
    return fieldOf(fields, "version", item) !== versionOf(item) && !(coming && isStored(item, coming));
  };
  const seen = Object.keys(fields).filter((name) => name.startsWith("of-")).length;
  if (seen !== items.length || items.some(isChanged)) return rejectChanged(fields, harvest);
  const report = new Map<number, Coming>();
  for (const item of items) {
    const coming = comingIn(fields, item);
    if (coming) report.set(item.variantId, coming);
  }
  const wrong = items.filter(({ variantId }) => !report.has(variantId));
  if (wrong.length === 0) return { report };
  return reject(fields, harvest, {
    status: 400,
    error: "Nothing was saved yet. Please correct what is marked below.",
    wrong,
  });
}
