/** Domains of most people's addresses. */
const DOMAINS = [
  "gmail.com",
  "yahoo.com",
  "hotmail.com",
  "outlook.com",
  "icloud.com",
  "aol.com",
  "comcast.net",
  "msn.com",
  "live.com",
  "att.net",
  "sbcglobal.net",
  "verizon.net",
  "bellsouth.net",
  "protonmail.com",
];

/** Domains that exist, though they are one letter from one of the above. */
const REAL = new Set(["mail.com", "email.com", "ymail.com", "gmx.com", "aim.com", "love.com"]);

/** Endings that exist nowhere, and what was meant. */
const ENDINGS: readonly [RegExp, string][] = [
  [/\.(con|cmo|vom|xom|comm|coom|cim|ocm)$/, ".com"],
  [/\.(nte|ner|nett|met)$/, ".net"],
  [/\.(ogr|orgg|rog)$/, ".org"],
];

/** Whether one letter is missing, added or wrong, or two neighbors are swapped. */
function isOneTypo(typed: string, right: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === right[start]) start += 1;
  let end = 0;
  const most = Math.min(typed.length, right.length) - start;
  while (end < most && typed[typed.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const [rest, meant] = [typed.slice(start, typed.length - end), right.slice(start, right.length - end)];
  if (rest.length <= 1 && meant.length <= 1) return rest !== meant;
  return rest.length === 2 && meant === `${rest[1]}${rest[0]}`;
}

/** The address that was probably meant by one with a mistyped domain ("ada@gmial.com"), in lower case; null: it looks right. */
export function suggestEmail(email: string): string | null {
  const [local, domain, ...more] = email.trim().toLowerCase().split("@");
  if (!local || !domain || more.length > 0 || DOMAINS.includes(domain) || REAL.has(domain)) return null;
  const ended = ENDINGS.reduce((text, [wrong, right]) => text.replace(wrong, right), domain);
  const meant = DOMAINS.find((right) => right === ended || isOneTypo(ended, right)) ?? ended;
  return meant === domain ? null : `${local}@${meant}`;
}
