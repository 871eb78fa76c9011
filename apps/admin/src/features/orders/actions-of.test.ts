import type { ActionSummary, StaffAction } from "@marketday/contracts/admin/actions";
import { expect, test } from "vitest";

import { shownActionsOf } from "./actions-of.ts";

const cancel = (orderId: number): ActionSummary => ({
  kind: "cancel_order",
  orderId,
  name: "Flora",
  back: 7,
  mails: 1,
});
const paid = (...orderIds: number[]): ActionSummary => ({ kind: "mark_paid", orderIds, boxes: 1, amount: 7 });
const action = (id: number, state: StaffAction["state"], summary: ActionSummary): StaffAction => ({
  id,
  state,
  summary,
  hub: { id: 1, slug: "carmel", name: "Carmel", timeZone: "UTC" },
  day: "2026-12-01",
  by: "Ada",
  isOwn: true,
  canUndo: state === "held" || state === "done",
  createdAt: "2026-11-30T00:00:00.000Z",
  dueAt: null,
  endedAt: null,
  problem: null,
});
const box = (held: StaffAction[] = [], state: "due" | "paid" = "paid") => ({
  held,
  orderIds: [10, 11],
  money: { state, amount: 7 },
});
const ids = (...args: Parameters<typeof shownActionsOf>) => shownActionsOf(...args).map(({ id }) => id);

test("actions of a box: what is held is shown once, also of its add-ons, and of no other box", () => {
  const held = action(1, "held", cancel(10));
  expect(ids(box([held]), [held])).toEqual([1]);
  expect(ids(box(), [action(2, "held", cancel(11)), action(3, "held", cancel(12))])).toEqual([2]);
});

test("actions of a box: one that the list knows to be over is not shown as held", () => {
  expect(ids(box([action(1, "held", cancel(10))]), [action(1, "undone", cancel(10))])).toEqual([]);
});

test("actions of a box: a refusal stays until something follows it", () => {
  const refused = action(1, "refused", cancel(10));
  expect(ids(box(), [refused])).toEqual([1]);
  expect(ids(box(), [action(2, "done", cancel(10)), refused])).toEqual([]);
});

test("actions of a box: a payment can be taken back while it is recorded", () => {
  const done = action(1, "done", paid(10, 99));
  expect(ids(box(), [done])).toEqual([1]);
  expect(ids(box([], "due"), [done])).toEqual([]);
  expect(ids(box(), [{ ...done, canUndo: false }])).toEqual([]);
});

test("actions of a box: a changed place and a note can be taken back, a move that was sent can't", () => {
  const place = { kind: "change_place", orderId: 10, name: "Flora", place: "Lakeside Barn", feeOff: 0 } as const;
  const note = { kind: "write_note", orderId: 10, name: "Flora", note: "driver", change: "added" } as const;
  const move = { kind: "move_order", orderId: 10, name: "Flora", to: "2026-12-08" } as const;
  expect(ids(box([], "due"), [action(1, "done", place)])).toEqual([1]);
  expect(ids(box(), [action(2, "done", note)])).toEqual([2]);
  expect(ids(box(), [action(3, "done", move)])).toEqual([]);
});

test.each(["bulk_deliver", "bulk_place"] as const)(
  "actions of a box: a %s of this box alone can be taken back here, one of several boxes can't",
  (kind) => {
    const of = (...orderIds: number[]) =>
      action(
        1,
        "done",
        kind === "bulk_place" ? { kind, orderIds, place: "Lakeside Barn", feeOff: 0 } : { kind, orderIds },
      );
    expect(ids(box(), [of(10)])).toEqual([1]);
    expect(ids(box(), [of(10, 99)])).toEqual([]);
  },
);
