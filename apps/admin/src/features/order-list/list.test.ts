import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import { calendarDate } from "@marketday/domain/calendar-date";
import { expect, test } from "vitest";

import { chosenColumns, fittingColumns, usualColumns } from "./columns.tsx";
import { nextSort, readAddress, withAddress } from "./list-address.ts";
import { chooseAll, NONE, togglePage, toggleRange, toggleRow } from "./selection.ts";
import { showRows } from "./use-list-rows.ts";
import { builtInViews, isChanged, nextDays, savedViewOf, viewOf } from "./views.ts";

const order = (orderId: number, changes: Partial<ListedOrder> = {}): ListedOrder => ({
  orderId,
  hub: { id: 1, slug: "carmel", name: "Carmel", timeZone: "UTC" },
  day: "2026-11-26",
  tote: orderId,
  customerId: 1,
  name: "Anna Castillo",
  status: "packing",
  lines: 2,
  units: 3,
  matchingUnits: null,
  place: "Carmel 46032",
  isPickup: false,
  driver: 1,
  stop: 2,
  total: 10.1,
  money: { state: "paid", amount: 10.1 },
  placedAt: "2026-11-20T12:00:00.000Z",
  flags: [],
  ...changes,
});

test("list address: it holds the filter, order, page and columns, and leaves out what is usual", () => {
  const path = withAddress("/admin/orders", "?hub=carmel&page=3", {
    q: "owes:yes",
    sort: "-total",
    columns: ["tote", "name"],
  });
  expect(path).toBe("/admin/orders?hub=carmel&q=owes%3Ayes&sort=-total&columns=tote%2Cname");
  expect(readAddress(path.slice(path.indexOf("?")))).toEqual({
    view: null,
    q: "owes:yes",
    sort: "-total",
    page: 1,
    columns: ["tote", "name"],
  });
  expect(withAddress("/admin/orders", "?q=x&sort=name&page=2", { q: " ", sort: "-day" })).toBe("/admin/orders");
});

test.each(["?page=0", "?page=-1", "?page=1.5", "?page=x", "?sort=<img>", "?page=1e99"])(
  "list address: %j is the first page in the usual order",
  (search) => expect(readAddress(search)).toMatchObject({ page: 1, sort: "-day" }),
);

test("list address: a head sorts in its usual direction, then in the other", () => {
  expect([nextSort("-day", "total"), nextSort("-total", "total"), nextSort("total", "total")]).toEqual([
    "-total",
    "total",
    "-total",
  ]);
  expect([nextSort("-day", "name"), nextSort("name", "name")]).toEqual(["name", "-name"]);
});

const views = [
  ...builtInViews([calendarDate("2026-11-26")]),
  savedViewOf({
    id: 7,
    screen: "orders",
    name: "Eggs",
    query: "product:eggs status:open",
    sort: "name",
    columns: ["tote", "name"],
    isShared: false,
    canChange: true,
    version: 1,
  }),
];

test("views: the address names its view, else its filter does, else it is all orders", () => {
  expect(views.map(({ name }) => name)[1]).toBe("Thursday boxes");
  expect(viewOf(views, { view: "v7", q: "" }).key).toBe("v7");
  expect(viewOf(views, { view: "v8", q: "owes:>0" }).key).toBe("due");
  expect(viewOf(views, { view: null, q: "flora" }).key).toBe("all");
});

test("views: one is changed by another filter or order, of a saved one also by its columns", () => {
  const eggs = views.at(-1)!;
  const same = { q: "product:eggs   status:OPEN", sort: "name", columns: null } as const;
  expect(isChanged(eggs, same)).toBe(false);
  expect(isChanged(eggs, { ...same, columns: ["tote"] })).toBe(true);
  expect(isChanged(eggs, { ...same, sort: "-name" })).toBe(true);
  expect(isChanged(eggs, { ...same, q: "product:eggs" })).toBe(true);
  expect(isChanged(views[0]!, { q: "", sort: "-day", columns: ["tote"] })).toBe(false);
});

test("views: the next boxes are those of the coming week, or of the next delivery", () => {
  const row = (day: string, slug = "carmel") => ({ day, hub: { slug } }) as Parameters<typeof nextDays>[0][number];
  const today = calendarDate("2026-11-24");
  const rows = [row("2026-11-20"), row("2026-11-28", "fishers"), row("2026-11-26"), row("2026-12-03")];
  expect(nextDays(rows, null, today)).toEqual(["2026-11-26", "2026-11-28"]);
  expect(nextDays(rows, "fishers", today)).toEqual(["2026-11-28"]);
  expect(nextDays([row("2026-12-24"), row("2026-12-17")], null, today)).toEqual(["2026-12-17"]);
});

test("columns: the usual ones follow the filter, chosen ones are known ones, and the customer is always there", () => {
  const usual = usualColumns({ isOneDay: false, isOneHub: false, hasMatch: true });
  expect(usual).toEqual(expect.arrayContaining(["market", "day", "matching"]));
  expect(chosenColumns(null, usual)).toBe(usual);
  expect(chosenColumns(["tote", "secret", "total", "tote"], usual)).toEqual(["name", "tote", "total"]);
});

test("columns: those that have no room are left out, the customer never", () => {
  const usual = usualColumns({ isOneDay: false, isOneHub: true, hasMatch: false });
  expect(fittingColumns(usual, 1300)).toBe(usual);
  expect(fittingColumns(usual, 1072)).toEqual(usual.filter((key) => key !== "order"));
  expect(fittingColumns(usual, 720)).not.toContain("where");
  expect(fittingColumns(usual, 0)).toEqual(["name"]);
  // Beside the panel of an order, at 1280 px.
  expect(fittingColumns(["tote", "name", "total", "money"], 405)).toEqual(["tote", "name", "total"]);
});

test("selection: sums are exact to the cent, and a cancelled box counts as an order only", () => {
  const due = order(1, { money: { state: "due", amount: 5.2 }, matchingUnits: 2 });
  const chosen = [due, order(2), order(3, { status: "cancelled", total: 99 })].reduce(toggleRow, NONE);
  expect([...chosen.ids]).toEqual([1, 2, 3]);
  expect(chosen.sums).toEqual({ lines: 4, total: 2020, due: 520, matchingUnits: 2 });
  expect(toggleRow(chosen, due).sums).toMatchObject({ lines: 2, total: 1010, due: 0 });
});

test("selection: an order that was paid meanwhile takes off what it added", () => {
  const due = order(1, { money: { state: "due", amount: 20 } });
  const chosen = [due, order(2)].reduce(toggleRow, NONE);
  expect(toggleRow(chosen, order(1)).sums).toMatchObject({ lines: 2, total: 1010, due: 0 });
  const all = chooseAll([1, 2], { orders: 2, lines: 4, total: 20.2, due: 20, matchingUnits: null }, [due, order(2)]);
  expect(toggleRow(all, order(1)).sums).toMatchObject({ lines: 2, total: 1010, due: 0 });
  const again = toggleRow(toggleRow(chosen, order(1)), order(1));
  expect(again.sums).toMatchObject({ lines: 4, total: 2020, due: 0 });
});

test("selection: a range goes from the last row to this one, and a page is chosen or left as a whole", () => {
  const rows = [1, 2, 3, 4].map((id) => order(id));
  const range = toggleRange(toggleRow(NONE, rows[1]!), rows, rows[3]!);
  expect([...range.ids]).toEqual([2, 3, 4]);
  expect([...togglePage(range, rows).ids].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(togglePage(togglePage(range, rows), rows).ids.size).toBe(0);
  expect([...toggleRange(toggleRow(NONE, order(9)), rows, rows[0]!).ids]).toEqual([9, 1]);
});

test("selection: all that match has the sums of the list, and one less is taken off", () => {
  const all = chooseAll([1, 2, 3], { orders: 3, lines: 6, total: 30.3, due: 0, matchingUnits: null });
  expect(toggleRow(all, order(2)).sums).toMatchObject({ lines: 4, total: 2020 });
});

test("rows: live data moves none, marks what changed, and keeps those that no longer match", () => {
  const rows = [1, 2, 3, 4, 5, 6].map((id) => order(id));
  const first = showRows(null, rows, "a", null);
  const second = showRows(
    first,
    [order(9), ...rows.slice(0, 4).map((row) => ({ ...row })), { ...rows[5]!, total: 1 }],
    "a",
    null,
  );
  expect(second.steady.keys).toEqual([1, 2, 3, 4, 5, 6, 9]);
  expect([...second.steady.changed].toSorted((a, b) => a - b)).toEqual([6, 9]);
  expect([...second.gone]).toEqual([5]);
  expect(showRows(second, rows, "b", null)).toMatchObject({ gone: new Set(), steady: { keys: [1, 2, 3, 4, 5, 6] } });
});
