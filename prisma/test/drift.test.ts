import { expect, test } from "vitest";

import { readMigrations } from "../src/migration-files.ts";
import { diffMigrations, readSchema } from "../src/schema-engine.ts";
import { createTestDatabase } from "./database.ts";

test("migrations: lead to the datamodel, apart from what is written by hand", async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  try {
    const [migrations, schema] = [await readMigrations(), await readSchema()];
    expect(await diffMigrations(url, migrations, schema)).toBe("");
    const changed = schema.map(([path, text]): [string, string] => [
      path,
      text.replace("tries       Int ", "tries       BigInt "),
    ]);
    expect(await diffMigrations(url, migrations, changed)).toContain('ALTER TABLE "auto_checkout_result"');
  } finally {
    await drop();
  }
});
