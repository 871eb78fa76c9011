import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { startJobs } from "./index.ts";

const { deps } = await buildTestApp();

test("jobs: after a stop, a notification starts no run", async () => {
  let reads = 0;
  const now = () => {
    reads += 1;
    return deps.clock.now();
  };
  const jobs = startJobs({ ...deps, clock: { ...deps.clock, now } });
  const before = reads;
  jobs.notify("clean-up");
  expect(reads).toBe(before + 1);
  await jobs.stop();
  const stopped = reads;
  for (const name of ["clean-up", "week"]) jobs.notify(name);
  expect(reads).toBe(stopped);
});
