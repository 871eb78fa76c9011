import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { backgroundHeaders, watchInput } from "./activity.ts";

const page = new EventTarget();
watchInput(page);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(["pointerdown", "keydown", "wheel"])(
  "activity: reads later than a minute after the last %s are in the background, writes never",
  (name) => {
    page.dispatchEvent(new Event(name));
    vi.advanceTimersByTime(60_000);
    expect(backgroundHeaders("GET")).toEqual({});
    vi.advanceTimersByTime(1);
    expect(backgroundHeaders("GET")).toEqual({ "x-background": "1" });
    expect(backgroundHeaders("POST")).toEqual({});
    page.dispatchEvent(new Event(name));
    expect(backgroundHeaders("GET")).toEqual({});
  },
);
