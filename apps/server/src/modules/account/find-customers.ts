import type { Client, Prisma } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type CustomerId } from "../identity/context.ts";
import { searchCustomers } from "./customer-search-sql.ts";

/** A customer in an operator's search result. */
export interface FoundCustomer {
  id: number;
  email: string | null;
  name: string;
  phone: string | null;
  hub: string | null;
  /** Where they receive: "pickup: Depot Barn", "delivery: 12 Main Street, Carmel, IN 46032"; null: nowhere yet. */
  receives: string | null;
  /** The card of automatic orders: "visa 4242". */
  card: string | null;
  orders: number;
  credit_cents: number;
  created_at: Date;
}

const found = {
  id: true,
  email: true,
  first_name: true,
  last_name: true,
  phone: true,
  credit_cents: true,
  created_at: true,
  hub: { select: { slug: true } },
  pickup_point: { select: { name: true } },
  addresses: { where: { is_default: true }, select: { address: true, city: true, state: true, zip_code: true } },
  payment_methods: { where: { is_default: true, deleted_at: null }, select: { brand: true, last4: true } },
  _count: { select: { orders: true } },
} satisfies Prisma.customerSelect;
type CustomerRow = Prisma.customerGetPayload<{ select: typeof found }>;

function receivesOf({ pickup_point: point, addresses: [to] }: CustomerRow): string | null {
  if (point) return `pickup: ${point.name}`;
  return to ? `delivery: ${to.address}, ${to.city}, ${to.state} ${to.zip_code}` : null;
}

const toFoundCustomer = (row: CustomerRow): FoundCustomer => ({
  id: row.id,
  email: row.email,
  name: `${row.first_name} ${row.last_name}`.trim(),
  phone: row.phone,
  hub: row.hub?.slug ?? null,
  receives: receivesOf(row),
  card: row.payment_methods[0] ? `${row.payment_methods[0].brand} ${row.payment_methods[0].last4}` : null,
  orders: row._count.orders,
  credit_cents: row.credit_cents,
  created_at: row.created_at,
});

/** Customers by id, or by a part of e-mail, name or phone; the newest first. Deleted accounts are found by id alone. */
export async function findCustomers(db: Client, text: string, most: number): Promise<FoundCustomer[]> {
  const rows = await db.customer.findMany({
    where: { id: { in: await searchCustomers(db, text, most) } },
    select: found,
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
  });
  return rows.map(toFoundCustomer);
}

/** The most that fits an id. */
const ID_MAX = 2 ** 31 - 1;

/** The customer with an id or an exact email. Throws AppError 404. */
export async function customerNamed(db: Client, text: string): Promise<{ id: CustomerId; email: string | null }> {
  const id = /^[1-9]\d*$/.test(text) && Number(text) <= ID_MAX ? Number(text) : null;
  const row = await db.customer.findFirst({
    where: id === null ? { email: text.toLowerCase() } : { id },
    select: { id: true, email: true },
  });
  if (!row)
    throw new AppError(404, `There is no customer ${text}. \`./market customers find\` looks for a part of a name.`, {
      code: "not_found",
    });
  return { id: asCustomerId(row.id), email: row.email };
}
