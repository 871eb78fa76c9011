import type { Customer, CustomerBox, ListedCustomer } from "@marketday/contracts/admin/customers";
import { cents, toDollars } from "@marketday/domain/money";
import { can, hubsWith } from "@marketday/domain/staff";

import { notFound } from "../../lib/app-error.ts";
import type { Page } from "../../lib/paging.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { planBoxes } from "../subscriptions/next-boxes.ts";
import { findCustomerList } from "./customer-list-sql.ts";
import { findCustomer } from "./customer-sql.ts";
import { serializeCustomer } from "./serialize-customer.ts";
import { findPerson } from "./store.ts";

/** A page of the people whom a text finds in the markets of the person of the staff: one statement. */
export async function listCustomers(
  { deps, actor }: Context,
  { q, hub }: { q: string; hub: string | null },
  { rows: limit, offset }: Page,
): Promise<{ customers: ListedCustomer[]; total: number }> {
  const hubs = hubsWith(requireStaff(actor).grants, "people.read");
  const { rows, total } = await findCustomerList(deps.db, { text: q, hubs, hub, limit, offset });
  const customers = rows.map(({ creditCents, ...row }) => ({ ...row, credit: toDollars(cents(creditCents)) }));
  return { customers, total };
}

/** One person: one statement. @throws AppError 404 for a person of other markets only, the same as for an id without one */
export async function readCustomer({ deps, now, actor }: Context, id: number): Promise<Customer> {
  const staff = requireStaff(actor);
  const row = await findCustomer(deps.db, id, hubsWith(staff.grants, "people.read"), now);
  if (!row) throw notFound();
  return serializeCustomer(row, staff, now);
}

/** "2 × Pasture Eggs"; of a bundle its title alone, once. */
function itemsOf(lines: Awaited<ReturnType<typeof planBoxes>>[number]["box"]["lines"]): string[] {
  const items = lines.map(({ title, quantity, bundleTitle }) => bundleTitle ?? `${quantity} × ${title}`);
  return [...new Set(items)];
}

/**
 * The next boxes of a person, as their own page has them (`planBoxes`); none when their market is not one of the staff member's.
 * @throws AppError 404 as `readCustomer`
 */
export async function readBoxes(ctx: Context, id: number): Promise<CustomerBox[]> {
  const { grants } = requireStaff(ctx.actor);
  const person = await findPerson(ctx.deps.db, id);
  const hubs: readonly (number | null)[] = person && person.hubIds.length > 0 ? person.hubIds : [null];
  if (!person || !hubs.some((hub) => can(grants, "people.read", hub ?? "all"))) throw notFound();
  if (person.isDeleted || !person.hub || !can(grants, "people.read", person.hub.id)) return [];
  const boxes = await planBoxes(ctx, asCustomerId(person.id), person.hub.id);
  return boxes.map(({ deliveryId, box }) => ({
    deliveryId,
    day: box.deliveryDate,
    cutoffAt: box.cutoff,
    autoCheckoutAt: box.autoCheckoutAt,
    state: box.state,
    isSkipped: box.isSkipped,
    isOpen: box.state === "planned" || box.state === "skipped",
    orderId: box.orderIds[0] ?? null,
    items: itemsOf(box.lines),
    total: box.orderTotal,
  }));
}
