import type { FormProblem } from "@marketday/ui/form.tsx";

/** A card as typed. Held in memory only: it is never stored, and leaves the page in the one call that pays. */
export interface CardDraft {
  number: string;
  /** "MM / YY" */
  expiry: string;
  cvc: string;
}

export const emptyCard: CardDraft = { number: "", expiry: "", cvc: "" };

/** The ids of the controls, for the error summary. */
export const cardControls = { number: "card-number", expiry: "card-expiry", cvc: "card-cvc" } as const;

const digitsOf = (text: string): string => text.normalize("NFKC").replace(/\D/g, "");
const isAmex = (digits: string): boolean => /^3[47]/.test(digits);
const lengthOf = (digits: string): number => (isAmex(digits) ? 15 : 16);

/** Groups of four (4-6-5 on American Express) while typing; at most 19 digits. */
export function formatCardNumber(text: string): string {
  const digits = digitsOf(text);
  const groups = isAmex(digits) ? /^(\d{0,4})(\d{0,6})(\d{0,5})/ : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,3})/;
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(" ");
}

/** "1228" → "12 / 28"; a first digit above 1 is a whole month, and so is one before a mark ("1/28", "1-28"). */
export function formatExpiry(text: string): string {
  const typed = digitsOf(text.replace(/^\D*(\d)\s*[^\d\s]/, "0$1"));
  const digits = (/^[2-9]/.test(typed) ? `0${typed}` : typed).slice(0, 6);
  // "12 / 2028" is what some browsers fill in.
  const year = digits.length === 6 ? digits.slice(4) : digits.slice(2, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${year}` : digits;
}

/**
 * Where the caret belongs in `shown`, the formatted text, when it was at `caret` in `typed`: behind the same digit, also
 * when one in the middle was changed.
 */
export function caretAfter(typed: string, caret: number, shown: string): number {
  const added = Math.max(0, digitsOf(shown).length - digitsOf(typed).length);
  let digits = digitsOf(typed.slice(0, caret)).length;
  if (digits > 0) digits += added;
  let at = 0;
  while (at < shown.length && digits > 0) {
    if (/\d/.test(shown.charAt(at))) digits -= 1;
    at += 1;
  }
  return at;
}

/** Month and full year, or null. */
export function parseExpiry(text: string): { expMonth: number; expYear: number } | null {
  const digits = digitsOf(text);
  const expMonth = Number(digits.slice(0, 2));
  return digits.length === 4 && expMonth >= 1 && expMonth <= 12
    ? { expMonth, expYear: 2000 + Number(digits.slice(2)) }
    : null;
}

/** Luhn's check digit. */
function addsUp(digits: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function numberProblem(text: string): string | null {
  const digits = digitsOf(text);
  if (digits === "") return "Enter the card number";
  const short = lengthOf(digits) - digits.length;
  if (short > 0) return `Card number is ${short} digit${short === 1 ? "" : "s"} short`;
  return addsUp(digits) ? null : "Check the card number: a digit is not right";
}

function expiryProblem(text: string, now: Date): string | null {
  const expiry = parseExpiry(text);
  if (!expiry) return "Enter the month and year, like 09/28";
  const past = expiry.expYear * 12 + expiry.expMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return past ? "This card has expired" : null;
}

/** What is wrong with a card, in the order of the form. */
export function cardProblems(card: CardDraft, now: Date): FormProblem[] {
  const found: [field: string, message: string | null][] = [
    [cardControls.number, numberProblem(card.number)],
    [cardControls.expiry, expiryProblem(card.expiry, now)],
    [cardControls.cvc, /^\d{3,4}$/.test(card.cvc) ? null : "Enter the 3 or 4 digits on the card"],
  ];
  return found.flatMap(([field, message]) => (message ? [{ field, message }] : []));
}

/** As `POST /checkout` takes it. Only for a card without problems. */
export function cardOf(card: CardDraft) {
  const expiry = parseExpiry(card.expiry);
  if (!expiry) throw new RangeError("A card without an expiry date.");
  return { number: digitsOf(card.number), ...expiry, cvc: card.cvc };
}
