/** Whose turn an item of the staff's inbox is (docs/product.md §18). */

import { Hour } from "./time.ts";

/** What is in the inbox of the staff. A message: the thread of a shopper and a vendor. */
export const INBOX_KINDS = [
  "message",
  "question",
  "review",
  "endorsement",
  "problem",
  "contact",
  "application",
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** Kinds that are, or were meant to be, read by everyone: they can be hidden. The others are read by who may answer alone. */
export const MODERATED_KINDS = ["question", "review", "endorsement"] as const satisfies readonly InboxKind[];
export type ModeratedKind = (typeof MODERATED_KINDS)[number];
export const isModerated = (kind: InboxKind): kind is ModeratedKind =>
  (MODERATED_KINDS as readonly InboxKind[]).includes(kind);

/** Kinds that can be answered: an endorsement is only read. */
export const isAnswerable = (kind: InboxKind): boolean => kind !== "endorsement";

export const INBOX_TURNS = ["market", "vendor", "shopper", "done"] as const;
export type InboxTurn = (typeof INBOX_TURNS)[number];

/** How long a vendor has to answer before it is the market's turn. */
export const VENDOR_TURN_MS = 48 * Hour.ms;

export interface InboxFacts {
  kind: InboxKind;
  /** When the last words were written. */
  at: Date;
  /** The last words are an answer. */
  isAnswered: boolean;
  /** A vendor without an email address gets no emails: the market answers for it. */
  hasVendorEmail: boolean;
  /** When the staff closed it. */
  closedAt: Date | null;
  /** When the staff hid it. */
  hiddenAt: Date | null;
}

/** Whose turn it is. Words that are written after it was closed or hidden make it a new one. */
export function inboxTurn(facts: InboxFacts, now: Date): InboxTurn {
  const { kind, at, isAnswered, hasVendorEmail, closedAt, hiddenAt } = facts;
  if (closedAt !== null && closedAt >= at) return "done";
  // What is written over a hidden text is hidden too, until a person has read it.
  if (hiddenAt !== null) return hiddenAt >= at ? "done" : "market";
  if (kind === "endorsement") return "done";
  if (isAnswered && kind !== "problem") return kind === "message" ? "shopper" : "done";
  if (kind !== "message" && kind !== "question" && kind !== "review") return "market";
  if (hasVendorEmail && now.getTime() - at.getTime() < VENDOR_TURN_MS) return "vendor";
  // No one has to answer a review.
  return kind === "review" ? "done" : "market";
}

/** Most characters of a template, and of its name. */
export const TEMPLATE_MAX = 2_000;
export const TEMPLATE_NAME_MAX = 60;
/** Most characters of an answer by email. */
export const EMAIL_REPLY_MAX = 4_000;

/** A template's text with the person's first name and the order's number; without one, "there" and no number. */
export const fillTemplate = (text: string, { name, order }: { name: string; order: string }): string =>
  text.replaceAll(/\{(name|order)\}/g, (_, word: string) => (word === "order" ? order : name === "" ? "there" : name));
