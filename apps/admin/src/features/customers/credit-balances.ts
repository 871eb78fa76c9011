import type { CreditEntry } from "./api.ts";

const cents = (dollars: number): number => Math.round(dollars * 100);

/** The credit after each entry, newest first as the entries are, in dollars. `credit`: what it is now. */
export function balancesOf(credit: number, entries: readonly Pick<CreditEntry, "amount">[]): number[] {
  let balance = cents(credit);
  return entries.map(({ amount }) => {
    const after = balance;
    balance -= cents(amount);
    return after / 100;
  });
}
