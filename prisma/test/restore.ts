import { afterAll, beforeAll, vi } from "vitest";

import { closeOpen, setCollecting } from "./cleanup.ts";
import { readProcessState, restoreProcessState } from "./process-state.ts";

/** Setup of every test file: the next file of the worker starts as this one did. */

function restoreMocks(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
}

setCollecting(true);
// A file that did not load has no afterAll.
restoreMocks();
await closeOpen();
const before = readProcessState();

beforeAll(() => setCollecting(false));

// Registered first, so it runs after those of the file.
afterAll(async () => {
  restoreMocks();
  const errors = await closeOpen();
  const changes = restoreProcessState(before);
  if (changes.length > 0) errors.push(new Error(`This file changes the next one. ${changes.join(" ")}`));
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
});
