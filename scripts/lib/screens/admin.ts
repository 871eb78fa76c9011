import { createDb } from "@marketday/db";
import type { Env } from "@marketday/server/env";
import { newUuid, STAFF_COOKIE, staffTokens } from "@marketday/server/lib/tokens";
import { asStaffId } from "@marketday/server/modules/identity/context";
import { insertStaffSession } from "@marketday/server/modules/identity/staff-session-store";
import type { Page } from "@playwright/test";

import { inTurn, type Screen, see, type Shown } from "./screen.ts";

/** Begins a session of the market's first owner for the pictures; null: there is no owner. */
export async function signInOwner(url: string, { sessionSecrets }: Env): Promise<Shown["staff"]> {
  const db = createDb({ url, applicationName: "marketday screenshots" });
  try {
    const owner = await db.staff.findFirst({
      where: { disabled_at: null, grants: { some: { role: "owner" } } },
      orderBy: { id: "asc" },
    });
    if (!owner) return null;
    const id = newUuid();
    await insertStaffSession(db, { id, staffId: asStaffId(owner.id), userAgent: "Screenshots", now: new Date() });
    return { name: STAFF_COOKIE, value: staffTokens(sessionSecrets).sign(id) };
  } finally {
    await db.close();
  }
}

/** Opens the first delivery day of the board. */
const pressFirstDay = (page: Page) => page.getByRole("main").locator('a[href^="/admin/days/"]').first().click();
const seeVendors = see("Vendors of the day");

/** Opens a screen of the first delivery day of the rail or the bottom bar. */
const pressInFrame = (name: string) => (page: Page) =>
  page
    .getByRole("navigation", { name: "Back office" })
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();
const pressFirstRow = (page: Page) => page.getByRole("main").getByRole("table").getByRole("row").nth(1).click();
const selectRows = async (page: Page) => {
  const boxes = page.getByRole("main").getByRole("table").getByRole("checkbox");
  for (const place of [1, 2, 3]) await boxes.nth(place).check();
};
const seeOffers = (page: Page) => page.getByRole("grid").waitFor();
/** Types a price, a sale price above it, and a refill, and stays at the wrong one. */
const changeOffers = async (page: Page) => {
  const cell = (row: number, column: number) => page.locator(`[role=grid] [data-place="${row}:${column}"]`);
  await cell(0, 1).click();
  await page.keyboard.type("7.5\n");
  await cell(1, 4).click();
  await page.keyboard.type("36\n");
  await cell(2, 2).click();
  await page.keyboard.type("105000\n");
  await cell(2, 2).click();
};
const pressDoor = (page: Page) => page.getByRole("link", { name: "Money at the door" }).first().click();

const pressPay = (page: Page) => page.getByRole("button", { name: /^Pay \$/ }).click();

const pressCreateKey = (page: Page) => page.getByRole("button", { name: "Create a key" }).click();

/** Screens of the admin app, as an owner sees them. */
export const adminScreens = ({ staff }: Shown): Screen[] => [
  { name: "admin-sign-in", as: "none", path: "/admin" },
  ...(staff === null
    ? []
    : [
        { name: "admin-today", as: "staff" as const, path: "/admin" },
        { name: "admin-day", as: "staff" as const, path: "/admin", run: inTurn(pressFirstDay, seeVendors) },
        { name: "admin-boxes", as: "staff" as const, path: "/admin", run: pressInFrame("Boxes") },
        {
          name: "admin-order",
          as: "staff" as const,
          path: "/admin",
          run: inTurn(pressInFrame("Boxes"), pressFirstRow),
        },
        { name: "admin-shorts", as: "staff" as const, path: "/admin", run: pressInFrame("Shorts") },
        { name: "admin-door", as: "staff" as const, path: "/admin", run: inTurn(pressInFrame("Boxes"), pressDoor) },
        { name: "admin-orders", as: "staff" as const, path: "/admin/orders" },
        { name: "admin-orders-panel", as: "staff" as const, path: "/admin/orders", run: pressFirstRow },
        { name: "admin-orders-selected", as: "staff" as const, path: "/admin/orders", run: selectRows },
        { name: "admin-products", as: "staff" as const, path: "/admin/products", run: seeOffers },
        { name: "admin-products-changed", as: "staff" as const, path: "/admin/products", run: changeOffers },
        { name: "admin-customers", as: "staff" as const, path: "/admin/customers" },
        { name: "admin-customer", as: "staff" as const, path: "/admin/customers", run: pressFirstRow },
        { name: "admin-inbox", as: "staff" as const, path: "/admin/inbox" },
        { name: "admin-inbox-item", as: "staff" as const, path: "/admin/inbox", run: pressFirstRow },
        { name: "admin-payouts", as: "staff" as const, path: "/admin/payouts" },
        { name: "admin-payouts-statement", as: "staff" as const, path: "/admin/payouts", run: pressFirstRow },
        { name: "admin-payouts-pay", as: "staff" as const, path: "/admin/payouts", run: pressPay },
        { name: "admin-payouts-paid", as: "staff" as const, path: "/admin/payouts/paid" },
        { name: "admin-audit", as: "staff" as const, path: "/admin/audit" },
        { name: "admin-staff", as: "staff" as const, path: "/admin/staff" },
        { name: "admin-settings", as: "staff" as const, path: "/admin/settings" },
        { name: "admin-settings-mails", as: "staff" as const, path: "/admin/settings/mails" },
        { name: "admin-settings-mail", as: "staff" as const, path: "/admin/settings/mails?mail=order-confirmation" },
        { name: "admin-settings-environment", as: "staff" as const, path: "/admin/settings/environment" },
        { name: "admin-staff-person", as: "staff" as const, path: "/admin/staff", run: pressFirstRow },
        { name: "admin-security", as: "staff" as const, path: "/admin/security" },
        { name: "admin-security-key", as: "staff" as const, path: "/admin/security", run: pressCreateKey },
      ]),
];
