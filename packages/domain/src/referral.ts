/** Who is the same person, for the referral discount (decisions §7 Referral, failures K4). */

const GMAIL = new Set(["gmail.com", "googlemail.com"]);

/**
 * The mailbox an e-mail address reaches: lower case, without a +tag; at Gmail without dots, under one domain. Only for
 * comparing: mail goes to the address as it was given.
 */
export function normaliseEmail(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const domain = address.slice(at + 1);
  const [mailbox = ""] = address.slice(0, at).split("+");
  return GMAIL.has(domain) ? `${mailbox.replaceAll(".", "")}@gmail.com` : `${mailbox}@${domain}`;
}

/** Whether two e-mail addresses reach one mailbox. */
export function sameEmail(a: string, b: string): boolean {
  return normaliseEmail(a) === normaliseEmail(b);
}

/** A street address, as far as comparing goes. */
export type StreetAddress = { address: string; address2?: string | null; zipCode: string };

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    street: "st",
    avenue: "ave",
    av: "ave",
    road: "rd",
    drive: "dr",
    lane: "ln",
    court: "ct",
    circle: "cir",
    boulevard: "blvd",
    place: "pl",
    parkway: "pkwy",
    highway: "hwy",
    terrace: "ter",
    trail: "trl",
    square: "sq",
    apartment: "apt",
    unit: "apt",
    suite: "apt",
    ste: "apt",
    north: "n",
    south: "s",
    east: "e",
    west: "w",
    northeast: "ne",
    northwest: "nw",
    southeast: "se",
    southwest: "sw",
  }),
);

function normaliseStreet({ address, address2, zipCode }: StreetAddress): string {
  const words = `${address} ${address2 ?? ""}`
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("#", " apt ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .map((word) => WORDS.get(word) ?? word);
  // "Apt #4" is one apt
  const street = words.filter((word, place) => word !== "apt" || words[place - 1] !== "apt");
  return `${street.join(" ")}|${zipCode.trim().slice(0, 5)}`;
}

/** Whether two street addresses are one, whatever the case, marks and usual short forms; flats of a house differ. */
export function sameAddress(a: StreetAddress, b: StreetAddress): boolean {
  return a.address.trim() !== "" && normaliseStreet(a) === normaliseStreet(b);
}

/** The last ten digits of a US phone number, or null when it has fewer. */
export function normalisePhone(phone: string): string | null {
  const digits = phone.replace(/\D/g, "");
  return digits.length < 10 ? null : digits.slice(-10);
}

/** What is known of a person at a referral; what is unknown is null and proves nothing. */
export type Person = {
  email: string;
  address: StreetAddress | null;
  phone: string | null;
  /** The card's fingerprint at the payment provider. */
  cardFingerprint: string | null;
};

/** Why two people count as one: the first mark that agrees, or null when none does. */
export function samePerson(a: Person, b: Person): "email" | "address" | "card" | "phone" | null {
  if (sameEmail(a.email, b.email)) return "email";
  if (a.address !== null && b.address !== null && sameAddress(a.address, b.address)) return "address";
  if (a.cardFingerprint !== null && a.cardFingerprint === b.cardFingerprint) return "card";
  const phone = a.phone === null ? null : normalisePhone(a.phone);
  if (phone !== null && b.phone !== null && phone === normalisePhone(b.phone)) return "phone";
  return null;
}
