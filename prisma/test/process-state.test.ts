import { dirname } from "node:path";

import { expect, test, vi } from "vitest";

import { readProcessState, restoreProcessState } from "./process-state.ts";

test("process state: what a file leaves changed is reset and named", () => {
  vi.stubEnv("MARKETDAY_KEPT", "before");
  vi.stubGlobal("marketdayKept", "before");
  const before = readProcessState();
  process.env["MARKETDAY_KEPT"] = "after";
  process.env["MARKETDAY_NEW"] = "new";
  process.chdir("/");
  Object.assign(globalThis, { marketdayKept: "after", marketdayNew: "new" });
  expect(restoreProcessState(before)).toEqual([
    `process.cwd() is /, not ${before.folder}: change it back in afterAll.`,
    "process.env.MARKETDAY_KEPT is left set: use vi.stubEnv.",
    "process.env.MARKETDAY_NEW is left set: use vi.stubEnv.",
    "globalThis.marketdayKept is left changed: use vi.stubGlobal.",
    "globalThis.marketdayNew is left behind: use vi.stubGlobal.",
  ]);
  expect(readProcessState()).toEqual(before);
  delete process.env["MARKETDAY_KEPT"];
  expect(restoreProcessState(before)).toEqual(["process.env.MARKETDAY_KEPT is left unset: use vi.stubEnv."]);
  expect(restoreProcessState(before)).toEqual([]);
  expect(dirname(process.cwd())).not.toBe("/");
});
