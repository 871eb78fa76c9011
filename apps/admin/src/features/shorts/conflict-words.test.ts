import { expect, test } from "vitest";

import { tellApart } from "./conflict-words.ts";
import type { CountForm } from "./count-form.ts";

const form: CountForm = { came: "9", gets: null, refundTo: "card", bearer: "vendor", reason: "" };

test.each<[Partial<CountForm>, Partial<CountForm>, string, string]>([
  [{}, { came: "8" }, "9 of 12", "8 of 12"],
  [{}, { refundTo: "credit" }, "9 of 12, refund to cards", "9 of 12, store credit"],
  [{ bearer: "market" }, {}, "9 of 12, the market pays", "9 of 12, the vendor pays"],
  [{ reason: "Frost " }, {}, "9 of 12, “Frost”", "9 of 12, no reason"],
  [{}, { gets: { 2: 5, 10: 4 } }, "9 of 12, by the rule", "9 of 12, by hand: 5, 4"],
  [{ gets: { 2: 4, 10: 5 } }, { gets: { 2: 5, 10: 4 } }, "9 of 12, by hand: 4, 5", "9 of 12, by hand: 5, 4"],
  [{ came: "" }, {}, "? of 12", "9 of 12"],
])("two counts of an item: %j and %j each have in words what differs", (one, other, words, otherWords) => {
  const [yours, theirs] = [
    { ...form, ...one },
    { ...form, ...other },
  ];
  expect([tellApart(yours, 12, theirs), tellApart(theirs, 12, yours)]).toEqual([words, otherWords]);
});
