import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, onTestFinished, TestRunner } from "vitest";

type Close = () => Promise<void>;

/** What the current file made and has not closed yet, oldest first. */
const open = new Set<Close>();
let isCollecting = false;

/** Called by the setup file (restore.ts): while a file loads, and when its tests start. */
export function setCollecting(value: boolean): void {
  isCollecting = value;
}

/**
 * Registers the end of what a test makes: `close` runs when the test ends, and for what is made at file level or in a hook when
 * the file ends, latest first. Returns `close` for an earlier end; it runs once.
 */
export function atEnd(close: () => unknown): Close {
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    // The first caller gets the error.
    if (closing) return closing.catch(() => undefined);
    open.delete(closeOnce);
    return (closing = (async () => void (await close()))());
  };
  open.add(closeOnce);
  if (isCollecting) afterAll(closeOnce);
  else {
    // Concurrent tests have no current one: what they make, and what hooks make, is closed by `closeOpen`.
    const test = TestRunner.getCurrentTest();
    if (test && !test.concurrent) onTestFinished(closeOnce);
  }
  return closeOnce;
}

/** Closes what is still open. Resolves with the errors. */
export async function closeOpen(): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const close of [...open].toReversed()) await close().catch((error: unknown) => errors.push(error));
  return errors;
}

/** A new folder `marketday-NAME-…` in the temporary folder, removed at the end of the test or file. */
export function createTestFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `marketday-${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
