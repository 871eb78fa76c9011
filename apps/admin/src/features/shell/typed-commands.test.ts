import type { DayShorts } from "@marketday/contracts/admin/shorts";
import { calendarDate } from "@marketday/domain/calendar-date";
import { expect, test } from "vitest";

import { parseTyped, shortCommands, toteCommand } from "./typed-commands.ts";

const today = calendarDate("2026-11-25");
const hub = { id: 1, slug: "carmel", name: "Carmel", timeZone: "America/Indiana/Indianapolis" };
const day = { hub, day: "2026-11-26" };

test.each([
  ["397120862", { kind: "order", id: 397_120_862 }],
  [" 397 120 862 ", { kind: "order", id: 397_120_862 }],
  ["#397120862", { kind: "order", id: 397_120_862 }],
  ["tote 14", { kind: "tote", number: 14 }],
  ["Tote #7", { kind: "tote", number: 7 }],
  ["short eggs cluck 9", { kind: "short", words: "eggs cluck", came: 9 }],
  ["short eggs 9/12", { kind: "short", words: "eggs", came: 9 }],
  ["short braising mix, 8 oz 20 of 22", { kind: "short", words: "braising mix, 8 oz", came: 20 }],
  ["short eggs", { kind: "short", words: "eggs", came: null }],
  ["shorts", null],
  ["short 9", null],
  ["39712086", null],
  ["tote", null],
  ["totem 14", null],
])("palette: “%s” names %o", (text, typed) => {
  expect(parseTyped(text)).toEqual(typed);
});

const item = (variantId: number, title: string, vendor: string): DayShorts["items"][number] =>
  ({
    variantId,
    title,
    vendor: { slug: vendor.toLowerCase(), name: vendor },
    ordered: 12,
  }) as DayShorts["items"][number];

test("palette: of a day's items those that fit every word are offered with the number, the title's before the vendor's", () => {
  const items = [item(1, "Duck Eggs", "Cluck"), item(2, "Cluck Soup", "Barn"), item(3, "Pasture Eggs", "Barn")];
  const find = (words: string) => shortCommands({ kind: "short", words, came: 9 }, day, items, today);
  expect(find("eggs cluck").map(({ id }) => id)).toEqual(["short:1"]);
  expect(find("cluck").map(({ id }) => id)).toEqual(["short:2", "short:1"]);
  expect(find("eggs")[0]).toMatchObject({
    title: "Short Duck Eggs to 9 of 12",
    does: { to: "/admin/days/carmel/2026-11-26/shorts/1?came=9" },
    command: "short carmel 2026-11-26 cluck 1 9/12",
  });
  // As the field of the shorts finds them: within a word too.
  expect(find("asture").map(({ id }) => id)).toEqual(["short:3"]);
  expect(find("bread")).toEqual([]);
});

test("palette: before the items and boxes of a day are known, an item and a tote lead to the list that finds them", () => {
  const [short] = shortCommands({ kind: "short", words: "eggs cluck", came: 9 }, day, undefined, today);
  expect(short?.does).toEqual({ to: "/admin/days/carmel/2026-11-26/shorts?find=eggs+cluck&came=9" });
  expect(toteCommand(14, day, undefined, today)[0]?.does).toEqual({ to: "/admin/days/carmel/2026-11-26/boxes?q=14" });
  expect(toteCommand(14, day, [], today)).toEqual([]);
});
