import type { Me } from "@marketday/contracts/admin/session";
import { expect, test } from "vitest";

import { hasPermission } from "./api.ts";

const me: Pick<Me, "permissions"> = { permissions: { "orders.read": "all", "day.run": [4], "orders.refund": [] } };

test("permission: granted in all markets, in some, in none, or not at all", () => {
  expect(hasPermission(me, "orders.read")).toBe(true);
  expect(hasPermission(me, "orders.read", 9)).toBe(true);
  expect(hasPermission(me, "orders.read", "all")).toBe(true);
  expect(hasPermission(me, "day.run")).toBe(true);
  expect(hasPermission(me, "day.run", 4)).toBe(true);
  expect(hasPermission(me, "day.run", 5)).toBe(false);
  expect(hasPermission(me, "day.run", "all")).toBe(false);
  expect(hasPermission(me, "orders.refund")).toBe(false);
  expect(hasPermission(me, "staff.write")).toBe(false);
});
