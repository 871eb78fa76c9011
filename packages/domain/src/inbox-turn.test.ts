import { expect, test } from "vitest";

import { fillTemplate, type InboxFacts, inboxTurn, VENDOR_TURN_MS } from "./inbox-turn.ts";
import { addMs, Hour } from "./time.ts";

const at = new Date("2026-11-26T12:00:00Z");
const message: InboxFacts = {
  kind: "message",
  at,
  isAnswered: false,
  hasVendorEmail: true,
  closedAt: null,
  hiddenAt: null,
};
const fresh = addMs(at, 1 * Hour.ms);
const late = addMs(at, VENDOR_TURN_MS);

test.each<[string, Partial<InboxFacts>, Date, string]>([
  ["a message is the vendor's for 48 hours", {}, addMs(at, VENDOR_TURN_MS - 1), "vendor"],
  ["a message without an answer after 48 hours is the market's", {}, late, "market"],
  ["a message to a vendor without an address is the market's at once", { hasVendorEmail: false }, fresh, "market"],
  ["a message that was answered is the shopper's", { isAnswered: true }, late, "shopper"],
  ["a message that was closed is done", { closedAt: at }, late, "done"],
  ["a message that was written after the thread was closed is open", { closedAt: addMs(at, -1) }, late, "market"],
  ["a question is the vendor's for 48 hours", { kind: "question" }, fresh, "vendor"],
  ["a question without an answer after 48 hours is the market's", { kind: "question" }, late, "market"],
  ["a question that was answered is done", { kind: "question", isAnswered: true }, fresh, "done"],
  ["a hidden question is done", { kind: "question", hiddenAt: fresh }, late, "done"],
  ["a review is the vendor's for 48 hours", { kind: "review" }, fresh, "vendor"],
  ["a review without an answer after 48 hours is done", { kind: "review" }, late, "done"],
  ["a hidden review is done", { kind: "review", hiddenAt: at }, fresh, "done"],
  ["a review written over a hidden one is the market's", { kind: "review", hiddenAt: addMs(at, -1) }, fresh, "market"],
  ["an endorsement is done", { kind: "endorsement" }, fresh, "done"],
  ["a problem is the market's", { kind: "problem" }, fresh, "market"],
  [
    "a problem that was answered is the market's until it is closed",
    { kind: "problem", isAnswered: true },
    fresh,
    "market",
  ],
  ["a problem that was closed is done", { kind: "problem", closedAt: fresh }, fresh, "done"],
  ["a contact form is the market's", { kind: "contact" }, fresh, "market"],
  ["a contact form that was answered is done", { kind: "contact", isAnswered: true }, fresh, "done"],
  ["an application is the market's", { kind: "application" }, late, "market"],
  ["an application that was closed is done", { kind: "application", closedAt: fresh }, late, "done"],
])("inbox turn: %s", (_name, facts, now, turn) => {
  expect(inboxTurn({ ...message, ...facts }, now)).toBe(turn);
});

test("reply template: placeholders are filled, and text that a person has as a name is not filled again", () => {
  expect(fillTemplate("Hi {name}, about {order}.", { name: "Ana", order: "123 456 789" })).toBe(
    "Hi Ana, about 123 456 789.",
  );
  expect(fillTemplate("Hi {name}.", { name: "", order: "" })).toBe("Hi there.");
  expect(fillTemplate("Hi {name}.", { name: "{order}", order: "1" })).toBe("Hi {order}.");
});
