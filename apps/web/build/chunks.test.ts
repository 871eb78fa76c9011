import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { groups, isInGroup, isNamed } from "./chunks.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const paths = globSync("{apps/web,packages/*}/src/**/*.{ts,tsx,css}", { cwd: root }).map((path) =>
  path.replaceAll("\\", "/"),
);

test.each(groups.flatMap(({ name, files, except = [] }) => [...files, ...except].map((file) => [name, file] as const)))(
  "chunk %s: %s is a file or a folder of ours",
  (_, file) => {
    expect(paths.some((path) => isNamed(file, path))).toBe(true);
  },
);

test("chunks: a folder has its files, a name its module and not its neighbors or its styles", () => {
  const groupOf = (path: string) => groups.find((group) => isInGroup(group, `${root}${path}`))?.name;
  expect(groupOf("apps/web/src/features/cart/cart-panel.tsx")).toBe("cart");
  expect(groupOf("apps/web/src/features/cart/use-cart.ts")).toBe("shared");
  expect(groupOf("apps/web/src/features/info/badge.module.css")).toBe("purchase");
  expect(groupOf("apps/web/src/features/auth/login-form.tsx")).toBe("login");
  expect(groupOf("apps/web/src/features/auth/login-form-other.tsx")).toBeUndefined();
  expect(groupOf("packages/ui/src/tabs.tsx")).toBe("panels");
  expect(groupOf("packages/ui/src/tabs.module.css")).toBe("kit");
  expect(groupOf("packages/domain/src/survey.ts")).toBeUndefined();
  expect(groupOf("apps/web/src/features/shop/shop-page.tsx")).toBeUndefined();
});
