import { expect, test, vi } from "vitest";

import { watchDisks } from "./disk-space.ts";

const MIB = 2 ** 20;

test("disk space: a disk that was full for a moment is named with what was left, one with room is not", () => {
  vi.useFakeTimers();
  const free: Record<string, number> = { "/run": 900 * MIB, "/clone": 900 * MIB };
  const findFull = watchDisks(["/run", "/clone", "/removed"], (folder) => {
    if (!(folder in free)) throw new Error("ENOENT");
    return free[folder]!;
  });
  expect(findFull()).toEqual([]);

  free["/run"] = 3 * MIB;
  vi.advanceTimersByTime(1000);
  free["/run"] = 900 * MIB;
  expect(findFull()).toEqual([
    "The disk of /run was full: 3 MiB were left. Failures can have this reason; free some space and run again.",
  ]);
});
