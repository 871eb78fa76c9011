import { expect, test } from "vitest";

import { peopleText, personCommand } from "./find-people.ts";
import { joinLateRows, SEARCHING } from "./late-rows.ts";

test("people: names, phones and emails from three letters on are looked for, and nothing that names something else", () => {
  expect(
    ["flora", " (317) 555-0142 ", "f@example.com", "fl", "", "397 120 862", "tote 14", "short eggs 9"].map(peopleText),
  ).toEqual(["flora", "(317) 555-0142", "f@example.com", null, null, null, null, null]);
});

test("palette: people and orders are shown once both have their answers, people first", () => {
  const row = (id: string) => ({ id, title: id, icon: "person", words: "", does: { to: "/admin" } }) as const;
  const [people, orders] = [
    { rows: [row("person")], isPending: false },
    { rows: [row("order")], isPending: false },
  ];
  expect(joinLateRows([SEARCHING, orders])).toEqual(SEARCHING);
  expect(joinLateRows([people, SEARCHING])).toEqual(SEARCHING);
  expect(joinLateRows([people, orders]).rows.map(({ id }) => id)).toEqual(["person", "order"]);
});

test("people: a row names the person and what tells them apart, and leads to them", () => {
  const flora = {
    id: 7,
    name: "Flora Evans",
    email: "flora@example.com",
    phone: "(317) 555-0142",
    hub: null,
    orders: 3,
    lastDay: null,
    credit: 0,
    found: "card 4242",
  };
  expect(personCommand(flora)).toMatchObject({
    title: "Flora Evans",
    detail: "flora@example.com, (317) 555-0142, card 4242",
    does: { to: "/admin/customers/7" },
    command: "customers find flora@example.com",
  });
  expect(personCommand({ ...flora, name: "", found: null })).toMatchObject({
    title: "flora@example.com",
    detail: "(317) 555-0142",
  });
});
