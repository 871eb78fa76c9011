import { type Rejected, REASONS } from "./pages.ts";
import type { HarvestItem } from "./read-harvest.ts";
import type { HarvestReport } from "./report-harvest.ts";

/** What was typed, to be shown again. A number that was all of the item is all of it again, also when more or fewer are ordered now. */
type Kept = Pick<Rejected, "typed" | "reason">;
type HarvestForm = { kept: Kept } & ({ report: HarvestReport } | { rejected: Rejected });

const MOST_DIGITS = 6;
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, 20) : "");

/**
 * Reads the form of a harvest's page. It is rejected when the list has changed since the page was opened, and when a number is not one
 * from 0 to what is ordered; nothing of it is stored then.
 */
export function readForm(fields: Record<string, unknown>, items: readonly HarvestItem[]): HarvestForm {
  const seenOf = ({ variantId }: HarvestItem) => textOf(fields[`of-${variantId}`]);
  const sent = ({ variantId }: HarvestItem) => textOf(fields[`came-${variantId}`]);
  const given = textOf(fields["reason"]);
  const reason = REASONS.find((each) => each === given) ?? "";
  const typed = new Map(
    items
      .filter((item) => seenOf(item) !== "" && sent(item) !== seenOf(item))
      .map((item) => [item.variantId, sent(item)]),
  );
  const kept = { typed, reason };
  const seen = Object.keys(fields).filter((name) => name.startsWith("of-")).length;
  if (seen !== items.length || items.some((item) => seenOf(item) !== String(item.ordered)))
    return {
      kept,
      rejected: {
        ...kept,
        status: 409,
        error: "The list has changed since you opened it. Nothing was sent: check the numbers and send them again.",
        wrong: new Set(),
      },
    };
  const isNumber = (text: string) => /^\d+$/.test(text) && text.length <= MOST_DIGITS;
  const wrong = items.filter((item) => !isNumber(sent(item)) || Number(sent(item)) > item.ordered);
  const [first] = wrong;
  if (first)
    return {
      kept,
      rejected: {
        ...kept,
        status: 400,
        error: `Enter how many of ${first.title} come, from 0 to ${first.ordered}. Nothing was sent.`,
        wrong: new Set(wrong.map(({ variantId }) => variantId)),
      },
    };
  return { kept, report: { coming: new Map(items.map((item) => [item.variantId, Number(sent(item))])), reason } };
}
