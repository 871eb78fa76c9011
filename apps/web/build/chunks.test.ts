import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { elsewhere, groupOf, groups, isNamed } from "./chunks.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const paths = globSync("{apps/web,packages/*}/src/**/*.{ts,tsx,css}", { cwd: root }).map((path) =>
  path.replaceAll("\\", "/"),
);

test.each([
  ...groups.flatMap(({ name, files }) => files.map((file) => [name, file])),
  ...elsewhere.map((file) => ["none", file]),
])("chunk %s: %s is a file or a folder of ours", (_, file) => {
  expect(paths.some((path) => isNamed(file, path))).toBe(true);
});

test("chunks: a file named in a group is in that group, not in the one of its folder, and one that is elsewhere is in none", () => {
  const group = (path: string) => groupOf(`${root}${path}`);
  expect(group("packages/ui/src/button.tsx")).toBe("kit");
  expect(group("packages/ui/src/form.tsx")).toBe("forms");
  expect(group("packages/client/src/forms/use-action.ts")).toBe("forms");
  expect(group("packages/domain/src/text.ts")).toBeNull();
  expect(group("packages/domain/src/subscription.ts")).toBe("purchase");
  expect(group("apps/web/src/features/shop/shop-page.tsx")).toBeNull();
});
