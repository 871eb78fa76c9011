import type { AuditEntry, AuditList } from "@marketday/contracts/admin/audit";
import { expect, test } from "vitest";

import { nextPage } from "./frozen-page.ts";

const entry = (id: number, reason = ""): AuditEntry => ({
  id,
  at: `2026-11-26T12:00:0${id % 10}.000Z`,
  by: { kind: "system", ref: "system:week", name: "week" },
  action: "x",
  subject: { kind: "order", id: "1", name: "" },
  reason,
  data: {},
  isCut: false,
  hub: null,
  day: null,
  change: null,
});
const list = (...entries: AuditEntry[]): AuditList => ({
  entries,
  total: entries.length,
  isMore: false,
  hasNewer: false,
  hasOlder: false,
});

test("audit page: new entries are counted and no row moves; the rows that are shown are as they are now", () => {
  const shown = nextPage(null, "a", list(entry(2), entry(1)));
  expect([shown.rows.map(({ id }) => id), shown.added]).toEqual([[2, 1], 0]);
  const later = nextPage(shown, "a", list(entry(4), entry(3), entry(2, "undone")));
  expect([later.rows.map(({ id, reason }) => [id, reason]), later.added]).toEqual([
    [
      [2, "undone"],
      [1, ""],
    ],
    2,
  ]);
});

test("audit page: another filter shows its rows, and an empty page takes the first entry at once", () => {
  const shown = nextPage(null, "a", list(entry(2)));
  expect(nextPage(shown, "b", list(entry(5), entry(2))).rows.map(({ id }) => id)).toEqual([5, 2]);
  const empty = nextPage(null, "a", list());
  expect(nextPage(empty, "a", list(entry(1)))).toMatchObject({ rows: [{ id: 1 }], added: 0 });
});

test("audit page: nothing is new above a page that is not the first", () => {
  const shown = nextPage(null, "a", { ...list(entry(2)), hasNewer: true });
  expect(nextPage(shown, "a", { ...list(entry(3), entry(2)), hasNewer: true }).added).toBe(0);
});
