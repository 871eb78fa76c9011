import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../test/root.ts";
import { deviceNow, marketNow, marketTimeAt, setClock, useMarketNow } from "./clock.ts";

afterEach(() => {
  setClock(new Date().toISOString());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("clock: a device that is an hour late or early shows the market's time, and goes on with it", () => {
  const now = new Date("2026-11-20T12:00:00Z").getTime();
  vi.useFakeTimers({ toFake: ["Date"], now });
  for (const server of ["2026-11-20T13:00:00.000Z", "2026-11-20T11:00:00.000Z"]) {
    setClock(server);
    expect(marketNow().toISOString()).toBe(server);
    expect(deviceNow()).toBe(now);
    expect(marketTimeAt(now - 60_000).getTime()).toBe(Date.parse(server) - 60_000);
  }
  vi.setSystemTime(now + 60_000);
  expect(marketNow().toISOString()).toBe("2026-11-20T11:01:00.000Z");
});

test("clock: a time that cannot be read changes nothing", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00Z") });
  setClock("2026-11-20T13:00:00.000Z");
  setClock("soon");
  expect(marketNow().toISOString()).toBe("2026-11-20T13:00:00.000Z");
});

test("clock: all that shows the time is renewed when a minute begins, by one timer, which ends with the last of them", () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:50Z") });
  setClock("2026-11-20T12:00:50.000Z");
  const ignore = () => undefined;
  // React's own root, for components without elements.
  vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("document", { addEventListener: ignore, removeEventListener: ignore });
  const shown: string[] = [];
  function Clock({ place }: { place: number }) {
    shown[place] = useMarketNow().toISOString();
    return null;
  }
  const root = createBareRoot();
  act(() => root.render([0, 1, 2].map((number) => <Clock key={number} place={number} />)));
  const before = vi.getTimerCount();
  expect(new Set(shown)).toEqual(new Set(["2026-11-20T12:00:50.000Z"]));
  act(() => void vi.advanceTimersByTime(9_999));
  expect(new Set(shown)).toEqual(new Set(["2026-11-20T12:00:50.000Z"]));
  act(() => void vi.advanceTimersByTime(1));
  expect(shown).toEqual(Array(3).fill("2026-11-20T12:01:00.000Z"));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(shown).toEqual(Array(3).fill("2026-11-20T12:02:00.000Z"));
  act(() => root.unmount());
  expect([before, vi.getTimerCount()]).toEqual([1, 0]);
});
