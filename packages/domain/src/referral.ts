/** Who counts as the same person for the referral discount (docs/product.md §17 "Referral", failures.md K4, M4). */

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
    alley: "aly",
    crossing: "xing",
    heights: "hts",
    point: "pt",
    ridge: "rdg",
    apartment: "apt",
    unit: "apt",
    suite: "apt",
    ste: "apt",
    room: "apt",
    rm: "apt",
    no: "apt",
    number: "apt",
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

/** A street address in one form: two of them are equal when the addresses are one. */
export function normaliseStreet({ address, address2, zipCode }: StreetAddress): string {
  const words = `${address} ${address2 ?? ""}`
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("#", " apt ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .map((word) => WORDS.get(word) ?? word);
  // "Apt 4", "Unit 4", "#4" and "4" are one unit.
  const street = words.filter((word) => word !== "apt");
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

/** The mailbox without dots, at any provider: stricter than mail itself, which is fine for a gift. */
function comparableEmail(email: string): string {
  const normal = normaliseEmail(email);
  const at = normal.lastIndexOf("@");
  return at < 0 ? normal : normal.slice(0, at).replaceAll(".", "") + normal.slice(at);
}

/** Everything known about a person that identifies them; what is unknown is null or empty and matches nothing. */
export type Person = {
  email: string | null;
  phone: string | null;
  /** Saved addresses and addresses that orders went to. */
  addresses: readonly StreetAddress[];
  /** The payment provider's fingerprints of cards that were saved or paid with. */
  cardFingerprints: readonly string[];
};

/** By what two people count as one. */
export const REFERRAL_MATCHES = ["email", "card", "address", "phone"] as const;
export type ReferralMatch = (typeof REFERRAL_MATCHES)[number];

/** The first thing that two people share, or null when they share nothing. */
export function samePerson(a: Person, b: Person): ReferralMatch | null {
  if (a.email !== null && b.email !== null && comparableEmail(a.email) === comparableEmail(b.email)) return "email";
  if (a.cardFingerprints.some((card) => card !== "" && b.cardFingerprints.includes(card))) return "card";
  if (a.addresses.some((address) => b.addresses.some((other) => sameAddress(address, other)))) return "address";
  const phone = a.phone === null ? null : normalisePhone(a.phone);
  if (phone !== null && b.phone !== null && phone === normalisePhone(b.phone)) return "phone";
  return null;
}

/**
 * Without a known card the discount needs a home delivery to an address that no other customer has used. `address_needed`: the market
 * takes no cards. `card_needed`: nothing is left to pay by card.
 */
export type ReferralRefusal = ReferralMatch | "address_needed" | "card_needed";

const shared = (what: string) =>
  `your ${what} is already used by the person who invited you, or by someone else they invited.`;

const REASONS: Readonly<Record<ReferralRefusal, string>> = {
  email: shared("email address"),
  card: "your card is already used by the person who invited you, or by another friend who got it.",
  address: shared("address"),
  phone: shared("phone number"),
  address_needed: "it needs home delivery to an address that no other customer has used.",
  card_needed:
    "it would leave nothing to pay by card. Save a card first, or choose home delivery to an address that no other customer has used.",
};

/** The sentence that a friend reads who does not get the discount. */
export const referralRefusal = (reason: ReferralRefusal): string =>
  `The $20 off from a friend isn't included: ${REASONS[reason]}`;
