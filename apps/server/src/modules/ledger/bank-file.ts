import { cents } from "@marketday/domain/money";

import { csvLines } from "../../lib/csv.ts";
import type { PaidRow } from "./payout-store.ts";

/** A vendor's line of the bank's file. */
export interface BankLine {
  slug: string;
  name: string;
  email: string | null;
  amountCents: number;
}

/** The lines of a booked payout, without the parts that were reversed. */
export const bankLines = (parts: readonly PaidRow[]): BankLine[] =>
  parts
    .filter((part) => !part.taken_back && part.amount_cents > 0)
    .map(({ slug, name, email, amount_cents: amountCents }) => ({ slug, name, email, amountCents }));

/** The CSV for the bank, amounts in dollars, without a byte order mark. `payout` null: it is not booked. */
export const bankFile = (payout: number | null, lines: readonly BankLine[]): string =>
  csvLines([
    ["vendor", "name", "email", "amount", "payout"],
    ...lines.map(({ slug, name, email, amountCents }) => [
      slug,
      name,
      email ?? "",
      (cents(amountCents) / 100).toFixed(2),
      String(payout ?? ""),
    ]),
  ]);
