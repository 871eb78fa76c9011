import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { BEFORE_REFETCH, onReturn } from "./on-return.ts";

/** A page whose tab is shown and hidden. */
function openPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const view = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", view.addEventListener.bind(view));
  vi.stubGlobal("removeEventListener", view.removeEventListener.bind(view));
  const change = (visibilityState: string) => () => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return {
    hide: change("hidden"),
    show: change("visible"),
    focus: () => view.dispatchEvent(new Event("focus")),
    load: () => view.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false })),
    restore: () => view.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("on return: several quick returns to the tab refetch once, a moment after the last", () => {
  const { hide, show, focus, restore } = openPage();
  const refetch = vi.fn();
  onReturn(refetch, BEFORE_REFETCH);
  for (let time = 0; time < 5; time += 1) {
    hide();
    vi.advanceTimersByTime(BEFORE_REFETCH / 2);
    show();
    vi.advanceTimersByTime(BEFORE_REFETCH / 2);
  }
  focus();
  restore();
  expect(refetch).not.toHaveBeenCalled();
  vi.advanceTimersByTime(BEFORE_REFETCH / 2);
  expect(refetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10 * BEFORE_REFETCH);
  expect(refetch).toHaveBeenCalledTimes(1);
  // The next return is another.
  hide();
  show();
  vi.advanceTimersByTime(BEFORE_REFETCH);
  expect(refetch).toHaveBeenCalledTimes(2);
});

test("on return: a tab that is left again before the refetch is refetched at its next return", () => {
  const { hide, show } = openPage();
  const refetch = vi.fn();
  onReturn(refetch, BEFORE_REFETCH);
  hide();
  show();
  hide();
  vi.advanceTimersByTime(60 * BEFORE_REFETCH);
  expect(refetch).not.toHaveBeenCalled();
  show();
  vi.advanceTimersByTime(BEFORE_REFETCH);
  expect(refetch).toHaveBeenCalledTimes(1);
});

test("on return: without a wait it runs at each return, and stopped it never runs", () => {
  const { hide, show } = openPage();
  const run = vi.fn();
  const stop = onReturn(run);
  const refetch = vi.fn();
  const stopWaiting = onReturn(refetch, BEFORE_REFETCH);
  hide();
  show();
  hide();
  show();
  expect(run).toHaveBeenCalledTimes(2);
  stop();
  stopWaiting();
  show();
  vi.advanceTimersByTime(60 * BEFORE_REFETCH);
  expect(run).toHaveBeenCalledTimes(2);
  expect(refetch).not.toHaveBeenCalled();
});

test("on return: a window that gets the focus often counts once in half a minute", () => {
  const { focus } = openPage();
  const run = vi.fn();
  onReturn(run);
  focus();
  vi.advanceTimersByTime(30_000);
  focus();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  focus();
  focus();
  expect(run).toHaveBeenCalledTimes(1);
});

test("on return: a page out of the browser's memory has come back, one that was loaded has not", () => {
  const { restore, load } = openPage();
  const run = vi.fn();
  onReturn(run);
  load();
  expect(run).not.toHaveBeenCalled();
  restore();
  expect(run).toHaveBeenCalledTimes(1);
});
