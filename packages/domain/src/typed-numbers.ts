/** Numbers as people and spreadsheets write them, in files and in grids. */

/** Digits and decimals of a number: "1200", "1,200", "40.0". Null: it is none. */
export function numberParts(given: string): { digits: string; decimals: string } | null {
  const found = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(given);
  return found && { digits: found[1]!.replaceAll(",", ""), decimals: (found[2] ?? "").replace(/0+$/, "") };
}

/** "6,50" → "6.50, with a point instead of the comma", for the suggestion. Thousands ("1,200") are read as they are. */
export function suggestPoint(given: string): string | null {
  const [, digits, decimals] = /^\$?\s*(\d{1,6}),(\d{1,2})\s*%?$/.exec(given) ?? [];
  return digits === undefined ? null : `${digits}.${decimals}, with a point instead of the comma`;
}

/** Whether it is the dash of a spreadsheet's accounting format ("$ -"), which is an empty cell. */
export const isAccountingDash = (given: string): boolean => /^\$?\s*-$/.test(given);

/** Dollars → whole cents, at most six digits of dollars. Undefined: it is no amount. */
export function readCents(given: string): number | undefined {
  const found = numberParts(given.replace(/^\$\s*/, ""));
  if (!found || found.digits.length > 6 || found.decimals.length > 2) return undefined;
  return Number(found.digits) * 100 + Number(found.decimals.padEnd(2, "0"));
}

/** A whole number in a range, both ends included. Undefined: it is none. */
export function readWhole(given: string, least: number, most: number): number | undefined {
  const found = numberParts(given);
  if (!found || found.decimals !== "" || found.digits.length > 9) return undefined;
  const value = Number(found.digits);
  return value >= least && value <= most ? value : undefined;
}
