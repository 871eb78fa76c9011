import { describe, expect, test } from "vitest";

import { cardOf, caretAfter, cardProblems, formatCardNumber, formatExpiry, parseExpiry } from "./card.ts";

const now = new Date("2026-11-20T12:00:00Z");
const good = { number: "4242 4242 4242 4242", expiry: "12 / 28", cvc: "123" };
const messagesOf = (change: Partial<typeof good>) =>
  cardProblems({ ...good, ...change }, now).map(({ message }) => message);

describe("a card being typed", () => {
  test.each([
    ["4242424242424242", "4242 4242 4242 4242"],
    ["42424", "4242 4"],
    ["4242-4242x", "4242 4242"],
    ["378282246310005", "3782 822463 10005"],
    ["4000000000000000006", "4000 0000 0000 0000 006"],
    ["40000000000000000061", "4000 0000 0000 0000 006"],
    ["", ""],
  ])("number %j becomes %j", (typed, shown) => {
    expect(formatCardNumber(typed)).toBe(shown);
  });

  test.each([
    ["1", "1"],
    ["12", "12"],
    ["122", "12 / 2"],
    ["1228", "12 / 28"],
    ["12 / 2", "12 / 2"],
    ["9", "09"],
    ["928", "09 / 28"],
    ["12/2028", "12 / 28"],
  ])("expiry %j becomes %j", (typed, shown) => {
    expect(formatExpiry(typed)).toBe(shown);
  });

  test.each([
    ["1/28", "01 / 28"],
    ["1 / 28", "01 / 28"],
    ["11/28", "11 / 28"],
  ])("expiry %j with its own slash becomes %j", (typed, shown) => {
    expect(formatExpiry(typed)).toBe(shown);
  });

  test.each([
    // [typed, caret, formatted, caret there]: a digit replaced or removed in the middle stays where it is.
    ["4242 5242 4242 4242", 6, "4242 5242 4242 4242", 6],
    ["4242 242 4242 4242", 5, "4242 2424 2424 242", 4],
    ["42942 4242", 3, "4294 2424 2", 3],
    ["1/28", 2, "01 / 28", 2],
    ["4242", 0, "4242", 0],
  ])("card field: the caret in %j at %i stays behind its digit in %j at %i", (typed, caret, shown, there) => {
    expect(caretAfter(typed, caret, shown)).toBe(there);
  });

  test("deleting works through the separator", () => {
    expect(formatExpiry("12 / ")).toBe("12");
  });

  test.each(["", "1", "13 / 28", "00 / 28", "12 / 2"])("%j is no expiry", (text) => {
    expect(parseExpiry(text)).toBeNull();
  });
});

describe("a card that is sent", () => {
  test("fits", () => {
    expect(messagesOf({})).toEqual([]);
    expect(cardOf(good)).toEqual({ number: "4242424242424242", expMonth: 12, expYear: 2028, cvc: "123" });
  });

  test.each<[Partial<typeof good>, string[]]>([
    [{ number: "" }, ["Enter the card number"]],
    [{ number: "4242 4242 4242 42" }, ["Card number is 2 digits short"]],
    [{ number: "3782 822463 1000" }, ["Card number is 1 digit short"]],
    [{ number: "4242 4242 4242 4243" }, ["Check the card number: a digit is not right"]],
    [{ expiry: "10 / 26" }, ["This card has expired"]],
    [{ expiry: "11 / 26" }, []],
    [{ expiry: "2" }, ["Enter the month and year, like 09/28"]],
    [{ cvc: "1234" }, []],
    [{ cvc: "12" }, ["Enter the 3 or 4 digits on the card"]],
  ])("%j: %j", (change, messages) => {
    expect(messagesOf(change)).toEqual(messages);
  });

  test.each(["4242424242424242", "4000000000000002", "4000000000009995", "4000002500003155", "4000000000000119"])(
    "the test provider's %s adds up",
    (number) => {
      expect(messagesOf({ number })).toEqual([]);
    },
  );
});
