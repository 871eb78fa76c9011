import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { clockReaders, findWrongImports } from "./lint-imports.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "marketday-imports-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
}

/** A small repository in which every import is allowed. */
const repository = {
  "packages/domain/src/money.ts": "export const cents = 1;\n",
  "packages/contracts/src/cart.ts": 'export { cents } from "../../domain/src/money.ts";\n',
  "prisma/src/client.ts": "export const db = 1;\n",
  "apps/server/src/main.ts":
    'import "../../../packages/contracts/src/cart.ts";\nimport "../../../prisma/src/client.ts";\n',
  "apps/server/test/app.ts": 'import "../src/main.ts";\n',
  "apps/web/src/main.tsx":
    'import "../../../packages/contracts/src/cart.ts";\nimport "../../../packages/domain/src/money.ts";\n',
  "apps/admin/src/main.tsx": 'import "../../../packages/domain/src/money.ts";\n',
  "apps/admin/src/app/b.ts": "export type B = 1;\n",
  "apps/web/src/app/b.ts": "export type B = 1;\n",
  "apps/web/src/features/b.ts": "export type B = 1;\n",
  "apps/web/src/navigation/b.ts": "export type B = 1;\n",
  "apps/server/src/modules/hubs/store.ts": 'import "../audit/store.ts";\n',
  "apps/server/src/modules/audit/store.ts": "export type A = 1;\n",
  "apps/server/src/modules/orders/store.ts": 'import "../hubs/store.ts";\n',
  "apps/server/src/modules/orders/orders.test.ts": 'import "../checkout/routes.ts";\n',
  "apps/server/src/modules/checkout/routes.ts": 'import "../orders/store.ts";\n',
  "apps/server/src/modules/week/store.ts": "export type W = 1;\n",
  "apps/server/src/jobs/week.ts": 'import "../modules/week/store.ts";\n',
  "scripts/start.ts": 'import "../apps/server/src/main.ts";\n',
};

test("import rules: allowed imports report nothing, and every TypeScript file is checked", async () => {
  write(repository);
  expect(await findWrongImports(base)).toStrictEqual({ checked: Object.keys(repository).length, violations: [] });
});

const wrong: [rule: string, path: string, text: string][] = [
  ["domain-imports-nothing-of-ours", "packages/domain/src/a.ts", 'import "../../contracts/src/cart.ts";\n'],
  ["domain-is-pure", "packages/domain/src/a.ts", 'import "node:fs";\n'],
  ["contracts-imports-domain", "packages/contracts/src/a.ts", 'import "../../../prisma/src/client.ts";\n'],
  ["web-imports-domain-and-contracts-and-ui-and-client", "apps/web/src/a.ts", 'import "../../server/src/main.ts";\n'],
  [
    "web-imports-domain-and-contracts-and-ui-and-client",
    "apps/web/src/a.ts",
    'import type { db } from "../../../prisma/src/client.ts";\nexport type A = typeof db;\n',
  ],
  ["db-imports-nothing-of-ours", "prisma/src/a.ts", 'import "../../packages/domain/src/money.ts";\n'],
  ["server-imports-domain-and-contracts-and-db", "apps/server/src/a.ts", 'import "../../../scripts/start.ts";\n'],
  ["web-features-imports-nothing-above", "apps/web/src/features/a.ts", 'import "../app/b.ts";\n'],
  [
    "web-navigation-imports-nothing-above",
    "apps/web/src/navigation/a.ts",
    'import type { B } from "../features/b.ts";\nexport type A = B;\n',
  ],
  ["ui-imports-domain", "packages/ui/src/a.ts", 'import "../../contracts/src/cart.ts";\n'],
  [
    "client-imports-domain-and-contracts-and-ui",
    "packages/client/src/a.ts",
    'import "../../../apps/web/src/app/b.ts";\n',
  ],
  [
    "admin-imports-domain-and-contracts-and-ui-and-client",
    "apps/admin/src/a.ts",
    'import "../../web/src/navigation/b.ts";\n',
  ],
  ["admin-features-imports-nothing-above", "apps/admin/src/features/a.ts", 'import "../app/b.ts";\n'],
  ["web-lib-imports-nothing-above", "apps/web/src/lib/a.ts", 'import "../navigation/b.ts";\n'],
  ["server-layer-0-row-1-imports-only-lower", "apps/server/src/lib/a.ts", 'import "../modules/hubs/store.ts";\n'],
  ["server-layer-1-row-2-imports-only-lower", "apps/server/src/modules/audit/a.ts", 'import "../hubs/store.ts";\n'],
  [
    "server-layer-3-row-1-imports-only-lower",
    "apps/server/src/modules/orders/a.ts",
    'import type { W } from "../week/store.ts";\nexport type A = W;\n',
  ],
  [
    "server-layer-4-row-1-has-no-imports-within",
    "apps/server/src/modules/checkout/a.ts",
    'import "../week/store.ts";\n',
  ],
  [
    "server-layer-4-row-2-imports-only-lower",
    "apps/server/src/modules/subscriptions/a.ts",
    'import "../../jobs/week.ts";\n',
  ],
  ["tests-only-from-tests", "apps/server/src/a.ts", 'import "../test/app.ts";\n'],
  ["everything-is-found", "apps/server/src/a.ts", 'import "./nowhere.ts";\n'],
];

describe("import rules: a forbidden import is named", () => {
  test.each(wrong)("%s", async (rule, path, text) => {
    write({ ...repository, [path]: text });
    const { violations } = await findWrongImports(base);
    expect(violations).toStrictEqual([expect.stringContaining(`(${rule})`)]);
    expect(violations[0]).toContain(path);
  });

  test("no-cycles", async () => {
    write({ "packages/domain/src/a.ts": 'import "./b.ts";\n', "packages/domain/src/b.ts": 'import "./a.ts";\n' });
    expect((await findWrongImports(base)).violations.join()).toContain("(no-cycles)");
  });

  test("no-cycles, of types", async () => {
    write({
      "packages/domain/src/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
      "packages/domain/src/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 1;\n',
    });
    expect((await findWrongImports(base)).violations.join()).toContain("(no-cycles)");
  });
});

test("import rules: reading the clock is reported, comments and strings about it are not", () => {
  const text =
    'const a = new Date();\nconst b = new Date(0);\n// new Date()\nconst c = "Date.now()";\nconst d = Date.now();\n';
  expect(clockReaders("apps/server/src/modules/checkout/place-order.ts", text)).toStrictEqual([
    "apps/server/src/modules/checkout/place-order.ts:1 reads the clock",
    "apps/server/src/modules/checkout/place-order.ts:5 reads the clock",
  ]);
  expect(clockReaders("apps/server/src/lib/clock.ts", text)).toStrictEqual([]);
});
