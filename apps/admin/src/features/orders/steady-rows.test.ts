import { expect, test } from "vitest";

import { nextRows, reuseRows, type SteadyRows } from "./steady-rows.ts";

interface Row {
  id: number;
  isDue: boolean;
}
const rows: Row[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => ({ id, isDue: id % 2 === 0 }));
const change = (list: readonly Row[], id: number, changes: Partial<Row> = {}) =>
  list.map((row) => (row.id === id ? { ...row, ...changes } : row));

const show = (before: SteadyRows | null, list: readonly Row[], view = "due", openKey: number | null = null) =>
  nextRows(before, {
    rows: list,
    keyOf: ({ id }) => id,
    view,
    found: view === "due" ? list.filter(({ isDue }) => isDue) : list,
    openKey,
  });

test("steady rows: the first read marks nothing", () => {
  expect(show(null, rows)).toMatchObject({ keys: [2, 4, 6, 8, 10], changed: new Set() });
});

test("steady rows: a row that the filter no longer finds stays in its place and is marked, a new one comes last", () => {
  const paid = change(change(rows, 4, { isDue: false }), 1, { isDue: true });
  const shown = show(show(null, rows), paid);
  expect(shown).toMatchObject({ keys: [2, 4, 6, 8, 10, 1], changed: new Set([1, 4]) });
  expect(show(shown, paid, "all").keys).toEqual(rows.map(({ id }) => id));
  expect(show(show(shown, paid, "all"), paid).keys).toEqual([1, 2, 6, 8, 10]);
});

test("steady rows: a row is marked until it is opened, and the open one never is", () => {
  const shown = show(show(null, rows), change(rows, 4), "due", 2);
  expect([...shown.changed]).toEqual([4]);
  expect([...show(shown, change(change(rows, 4), 2), "due", 2).changed]).toEqual([4]);
  expect([...show(shown, change(rows, 4), "due", 4).changed]).toEqual([]);
});

test("steady rows: a change of most rows at once, as by the cutoff, marks none", () => {
  const all = rows.map((row) => ({ ...row }));
  expect([...show(show(null, rows), all).changed]).toEqual([]);
});

test("steady rows: a row that is gone is left out", () => {
  expect(show(show(null, rows), rows.slice(2)).keys).toEqual([4, 6, 8, 10]);
});

test("steady rows: what has not changed is the same object, also in another place of the list", () => {
  const before = new Map(rows.map((row) => [row.id, row]));
  const [first, second] = reuseRows(
    before,
    [
      { id: 2, isDue: true },
      { id: 1, isDue: true },
    ],
    ({ id }) => id,
  );
  expect([first === before.get(2), second === before.get(1)]).toEqual([true, false]);
});
