import { afterEach, expect, test, vi } from "vitest";

import { deviceNow, marketNow, setClock } from "./clock.ts";

afterEach(() => {
  setClock(new Date().toISOString());
  vi.useRealTimers();
});

test("clock: a device that is an hour late or early shows the market's time, and goes on with it", () => {
  const now = new Date("2026-11-20T12:00:00Z").getTime();
  vi.useFakeTimers({ toFake: ["Date"], now });
  for (const server of ["2026-11-20T13:00:00.000Z", "2026-11-20T11:00:00.000Z"]) {
    setClock(server);
    expect(marketNow().toISOString()).toBe(server);
    expect(deviceNow()).toBe(now);
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
