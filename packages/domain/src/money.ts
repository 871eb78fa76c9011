/**
 * Money is integer cents inside and dollars with at most two decimals on the wire (docs/product.md §2).
 * No float ever takes part in a sum: parts and shares are computed in exact integer arithmetic.
 */

declare const centsBrand: unique symbol;

/** US cents as a safe integer; negative for money that goes back. */
export type Cents = number & { readonly [centsBrand]: true };

/** Brands a number as cents. Throws RangeError when it is no safe integer. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not an amount in whole cents: ${value}`);
  return (value + 0) as Cents; // -0 becomes 0
}

/** Zero cents. */
export const zeroCents: Cents = cents(0);

/** Cents to dollars for the wire: 895 → 8.95, the double nearest to the decimal. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/** Dollars to cents: 8.95 → 895. Throws RangeError when not finite, too large, or with more than two decimals. */
export function fromDollars(dollars: number): Cents {
  const rounded = Math.round(dollars * 100);
  if (!Number.isSafeInteger(rounded) || rounded / 100 !== dollars) {
    throw new RangeError(`Not an amount in dollars with at most two decimals: ${dollars}`);
  }
  return cents(rounded);
}

/** The sum of any number of amounts; of none it is 0. */
export function addCents(...amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce((sum, amount) => sum + amount, 0));
}

/** The first amount less all others. */
export function subtractCents(from: Cents, ...amounts: readonly Cents[]): Cents {
  return cents(from - addCents(...amounts));
}

/** A unit price times an integer quantity. */
export function timesCents(unit: Cents, quantity: number): Cents {
  return cents(unit * quantity);
}

/** The sum of amounts of the wire, in dollars. Throws RangeError for more than two decimals, as the next two do. */
export function addDollars(...amounts: readonly number[]): number {
  return toDollars(addCents(...amounts.map(fromDollars)));
}

/** The first amount of the wire less all others, in dollars. */
export function subtractDollars(from: number, ...amounts: readonly number[]): number {
  return toDollars(subtractCents(fromDollars(from), ...amounts.map(fromDollars)));
}

/** A unit price of the wire times an integer quantity, in dollars. */
export function timesDollars(unit: number, quantity: number): number {
  return toDollars(timesCents(fromDollars(unit), quantity));
}

/** The smaller of two amounts. */
export function minCents(a: Cents, b: Cents): Cents {
  return a < b ? a : b;
}

/** The larger of two amounts. */
export function maxCents(a: Cents, b: Cents): Cents {
  return a > b ? a : b;
}

const million = 1_000_000n;

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/**
 * `amount` × `ppm` parts per million, half up (a half cent goes towards plus infinity), rounded once (docs/product.md §7).
 * 7 % of tax is 70,000 ppm. Throws RangeError when `ppm` is no safe integer.
 */
export function partOf(amount: Cents, ppm: number): Cents {
  if (!Number.isSafeInteger(ppm)) throw new RangeError(`Not a whole number of parts per million: ${ppm}`);
  return cents(Number(floorDivide(BigInt(amount) * BigInt(ppm) + million / 2n, million)));
}

/** `percent` of `amount`, half up; up to four decimals of a percent. */
export function percentOf(amount: Cents, percent: number): Cents {
  const ppm = Math.round(percent * 10_000);
  if (Math.abs(ppm - percent * 10_000) > 1e-6)
    throw new RangeError(`A percentage has at most four decimals: ${percent}`);
  return partOf(amount, ppm);
}

/**
 * Shares `total` over non-negative integer weights by largest remainder: the parts always sum to the whole, a zero
 * weight gets nothing, ties go to the earlier place. Throws RangeError for bad weights, or when money is to be shared
 * over weights that are all zero.
 */
export function allocate(total: Cents, weights: readonly number[]): Cents[] {
  for (const weight of weights) {
    if (!Number.isSafeInteger(weight) || weight < 0) throw new RangeError(`Not a weight: ${weight}`);
  }
  if (total === 0) return weights.map(() => zeroCents);
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) throw new RangeError(`Nothing to share ${total} cents over`);
  const sign = total < 0 ? -1 : 1;
  const whole = BigInt(Math.abs(total));
  const parts = weights.map((weight, place) => {
    const product = whole * BigInt(weight);
    return { place, floor: product / sum, remainder: product % sum };
  });
  let left = Number(whole - parts.reduce((all, part) => all + part.floor, 0n));
  const shares = parts.map((part) => Number(part.floor));
  const byRemainder = parts.toSorted((a, b) =>
    a.remainder === b.remainder ? a.place - b.place : a.remainder < b.remainder ? 1 : -1,
  );
  for (const { place } of byRemainder) {
    if (left === 0) break;
    shares[place] = (shares[place] ?? 0) + 1;
    left -= 1;
  }
  return shares.map((share) => cents(sign * share));
}

/** The two halves of a price sign: 650 → `{ dollars: "6", cents: "50" }`; thousands are grouped. */
export function splitPrice(amount: Cents): { dollars: string; cents: string } {
  const whole = Math.abs(amount);
  const dollars = String(Math.trunc(whole / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  return { dollars: `${amount < 0 ? "−" : ""}${dollars}`, cents: String(whole % 100).padStart(2, "0") };
}

/** A price with two decimals, "$8.95" (spec §9 Money); money that goes back is "−$2.00". */
export function formatUsd(amount: Cents): string {
  const { dollars, cents: rest } = splitPrice(cents(Math.abs(amount)));
  return `${amount < 0 ? "−" : ""}$${dollars}.${rest}`;
}

/** An amount or a share that changes by more than this factor is confirmed (docs/product.md §14). */
const LARGE_CHANGE = 3;

/**
 * Whether a change of an amount is probably a typing mistake: it grows or falls by more than a factor of three, or to zero. Both
 * in one unit. Without an amount before (null or zero) there is nothing to compare.
 */
export function isLargeChange(before: number | null, after: number | null): boolean {
  if (before === null || before === 0 || after === null) return false;
  return Math.max(before, after) > LARGE_CHANGE * Math.min(before, after);
}
