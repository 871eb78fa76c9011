/**
 * Which passwords are taken (spec §5 Register, Password reset; docs/product.md §3). Server-side: the list of common ones is not
 * for the browser.
 */

import { coreOf, isCommonPassword } from "./common-passwords.ts";
import { PASSWORD_MAX } from "./limits.ts";

export type PasswordVerdict = "ok" | "too_short" | "too_long" | "common";

/** More UTF-16 units than any text of 256 code points has before it is normalised: not even looked at. */
const UNITS_MAX = 16 * PASSWORD_MAX;

/** The form of a password that is counted, judged and hashed: NFKC, so that every keyboard's way of typing it is one. */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}

function fold(text: string): string {
  return normalisePassword(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a password is nothing but names, with digits and marks round it: "Anna1", "baker!anna2024". */
function isNames(password: string, names: readonly string[]): boolean {
  const folded = fold(password);
  const parts = names
    .flatMap((name) => [name, name.split("@")[0] ?? "", ...name.split(/[\s.@_-]+/u)])
    .map(fold)
    .filter((name) => [...name].length >= 3);
  return [folded, coreOf(folded)].some(
    (text) => text !== "" && parts.some((first) => text === first || parts.some((second) => text === first + second)),
  );
}

/**
 * Judges a new password. `min` code points are needed and 256 allowed, after normalising; `names` are what belongs to the
 * person and the market (first and last name, e-mail, the market's and the hub's name), which are refused like common ones.
 */
export function checkPassword(password: string, rule: { min: number; names?: readonly string[] }): PasswordVerdict {
  if (password.length > UNITS_MAX) return "too_long";
  const normal = normalisePassword(password);
  const length = [...normal].length;
  if (length < rule.min) return "too_short";
  if (length > PASSWORD_MAX) return "too_long";
  return isCommonPassword(normal) || isNames(normal, rule.names ?? []) ? "common" : "ok";
}
