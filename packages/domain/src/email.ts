import { EMAIL_MAX, EMAIL_MIN, EMAIL_PATTERN } from "./limits.ts";

/**
 * Whether text is an email address that the market accepts, spaces around it ignored: one @, no spaces, brackets or
 * separators, 5 to 254 characters (spec §5, failures.md E4). The server and every form use this one rule.
 */
export function isEmail(text: string): boolean {
  const email = text.trim();
  return email.length >= EMAIL_MIN && email.length <= EMAIL_MAX && EMAIL_PATTERN.test(email);
}
