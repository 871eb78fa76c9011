import { randomBytes } from "node:crypto";

import { inject } from "vitest";

import { atEnd } from "./cleanup.ts";
import { asAdmin, withDatabase } from "./postgres.ts";

export { atEnd, createTestFolder } from "./cleanup.ts";
export { quietPort } from "./port.ts";
export { isLarge, isSoak, size } from "./size.ts";
export { startStreaming } from "./streaming.ts";
export { startTestPostgres, type TestPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: { adminUrl: string; template: string };
  }
}

export type TestDatabase = { url: string; drop(): Promise<void> };

/**
 * A separate database for a test: all migrations applied, no rows; with `empty` also without migrations. Dropped at the end of the
 * test or file.
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { adminUrl, template } = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  for (;;) {
    try {
      await asAdmin(adminUrl, `create database ${name} template ${empty ? "template0" : template}`);
      break;
    } catch (error) {
      // Autovacuum may be using the template, on a busy machine for longer than CREATE DATABASE waits.
      if ((error as { code?: string }).code !== "55006") throw error;
    }
  }
  return {
    url: withDatabase(adminUrl, name),
    drop: atEnd(() => asAdmin(adminUrl, `drop database if exists ${name} with (force)`)),
  };
}
