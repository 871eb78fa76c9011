import { type Harvest, type HarvestItem, openItems } from "./read-harvest.ts";
import { type HarvestReport, isStored, REASONS } from "./report-harvest.ts";

/** What a vendor has sent and must check. Nothing of it is stored. */
export interface Rejected {
  status: 400 | 409;
  error: string;
  /** What was typed, by variant. A number that was all of the item is all of it, also when more or fewer are ordered now. */
  typed: ReadonlyMap<number, string>;
  reason: string;
  /** Variants whose number cannot be right. */
  wrong: ReadonlySet<number>;
}

/** Characters of a field that are read: more than a number has. */
const MAX_LENGTH = 20;
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, MAX_LENGTH) : "");

/** The version of the vendor's count, as the form returns it. */
export const versionOf = ({ own }: HarvestItem): string => (own ? `${own.id}.${own.version}` : "");

const numberOf = (text: string, { ordered }: HarvestItem): number | null =>
  /^\d{1,6}$/.test(text) && Number(text) <= ordered ? Number(text) : null;

type Fields = Record<string, unknown>;
const reasonIn = (fields: Fields): string => REASONS.find((each) => each === fields["reason"]) ?? "";
const cameIn = (fields: Fields, { variantId }: HarvestItem): string => textOf(fields[`came-${variantId}`]);
const seenIn = (fields: Fields, { variantId }: HarvestItem): string => textOf(fields[`of-${variantId}`]);

function reject(
  fields: Fields,
  { items }: Harvest,
  { status, error, wrong = [] }: Pick<Rejected, "status" | "error"> & { wrong?: readonly HarvestItem[] },
): { rejected: Rejected } {
  const sent = items.filter((item) => seenIn(fields, item) !== "");
  const typed = sent.map((item): [number, string] => {
    const came = cameIn(fields, item);
    return [item.variantId, came === seenIn(fields, item) ? String(item.ordered) : came];
  });
  const reason = reasonIn(fields);
  return {
    rejected: { status, error, typed: new Map(typed), reason, wrong: new Set(wrong.map(({ variantId }) => variantId)) },
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
        ? "Nothing was saved, because the market has already checked you in. Please tell them what is different."
        : "Nothing was saved, because none of these numbers can be changed here. Please tell the market what is different.",
    });
  const isChanged = (item: HarvestItem) => {
    const came = numberOf(cameIn(fields, item), item);
    const isSeen = textOf(fields[`version-${item.variantId}`]) === versionOf(item);
    return seenIn(fields, item) !== String(item.ordered) || !(isSeen || (came !== null && isStored(item, came)));
  };
  const seen = Object.keys(fields).filter((name) => name.startsWith("of-")).length;
  if (seen !== items.length || items.some(isChanged)) return rejectChanged(fields, harvest);
  const wrong = items.filter((item) => numberOf(cameIn(fields, item), item) === null);
  if (wrong.length > 0) {
    const error = "Nothing was saved yet. Please correct what is marked below.";
    return reject(fields, harvest, { status: 400, error, wrong });
  }
  const coming = new Map(items.map((item) => [item.variantId, Number(cameIn(fields, item))]));
  return { report: { coming, reason: reasonIn(fields) } };
}
