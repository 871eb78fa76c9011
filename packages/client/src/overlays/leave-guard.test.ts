import { afterEach, expect, test, vi } from "vitest";

import { createLeaveGuard } from "./leave-guard.ts";

afterEach(() => vi.unstubAllGlobals());

/** A page at entry 5 of its history. */
function openPage() {
  const view = new EventTarget();
  const go = vi.fn();
  vi.stubGlobal("addEventListener", view.addEventListener.bind(view));
  vi.stubGlobal("history", { state: { idx: 5 }, go });
  const guard = createLeaveGuard();
  const router = vi.fn();
  view.addEventListener("popstate", router);
  /** The browser has gone to another entry. */
  const pop = (state: unknown) => void view.dispatchEvent(Object.assign(new Event("popstate"), { state }));
  return { ...guard, pop, go, router };
}

test("leave guard: Back is undone and confirmed, and leaves after all once it is confirmed", () => {
  const { guard, pop, go, router } = openPage();
  const onLeave = vi.fn<(leave: () => void) => void>();
  guard(onLeave);
  pop({ idx: 3 });
  expect(go.mock.calls).toEqual([[2]]);
  expect(router).not.toHaveBeenCalled();
  // The entry is restored, which is no way out.
  pop({ idx: 5 });
  expect(onLeave).toHaveBeenCalledTimes(1);
  onLeave.mock.calls[0]?.[0]();
  expect(go.mock.calls).toEqual([[2], [-2]]);
  pop({ idx: 3 });
  expect(onLeave).toHaveBeenCalledTimes(1);
  expect(router).toHaveBeenCalledTimes(1);
});

test("leave guard: an entry that the router did not write is one step back", () => {
  const { guard, pop, go } = openPage();
  guard(() => undefined);
  pop(null);
  expect(go.mock.calls).toEqual([[1]]);
});

test("leave guard: a button that leaves is confirmed while guarded, and leaves at once before and after", () => {
  const { guard, leaveBy } = openPage();
  const leave = vi.fn();
  leaveBy(leave);
  expect(leave).toHaveBeenCalledTimes(1);
  const onLeave = vi.fn();
  const end = guard(onLeave);
  leaveBy(leave);
  expect(onLeave).toHaveBeenCalledTimes(1);
  expect(leave).toHaveBeenCalledTimes(1);
  end();
  leaveBy(leave);
  expect(leave).toHaveBeenCalledTimes(2);
});

test("leave guard: the end of an earlier guard does not end the one that runs", () => {
  const { guard, leaveBy } = openPage();
  const end = guard(() => undefined);
  const onLeave = vi.fn();
  guard(onLeave);
  end();
  leaveBy(() => undefined);
  expect(onLeave).toHaveBeenCalledTimes(1);
});
