import type { OrderList } from "@marketday/contracts/admin/order-list";
import type { Db } from "@marketday/db";
import { parseOrderQuery } from "@marketday/domain/order-query";
import { can, hubsWith } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Page } from "../../lib/paging.ts";
import type { StaffActor } from "../identity/context.ts";
import { dollars } from "../orders/box-money.ts";
import { findListedBoxes } from "./boxes-sql.ts";
import type { OrderListFilter } from "./filter-sql.ts";
import { findOrderIds, findOrderPage, type OrderSort } from "./list-sql.ts";
import { toListedOrder } from "./serialize.ts";

/** What is requested of the list: a filter as it was typed, and slug or id of a hub. */
export interface OrderRequest {
  q: string;
  hub?: string | undefined;
  sort: OrderSort;
}

/** Boxes of an action on all that match. */
const IDS_MAX = 5_000;

/**
 * A filter as a person may use it.
 * @throws AppError 400 `bad_filter` that names every part that is not understood
 */
export function filterOf({ grants }: StaffActor, { q, hub }: Pick<OrderRequest, "q" | "hub">): OrderListFilter {
  const { tokens, words, problems } = parseOrderQuery(q);
  if (problems.length > 0)
    throw new AppError(400, problems.map(({ message }) => message).join("\n"), {
      code: "bad_filter",
      field: "q",
      problems,
    });
  return {
    tokens,
    words,
    hubs: { scope: hubsWith(grants, "orders.read"), hub: hub ?? null },
    people: hubsWith(grants, "people.read"),
  };
}

/** @throws AppError 404 for a requested hub that there is not, or whose orders the person may not read */
export function checkHub({ hub }: OrderRequest, found: { hubs: number }): void {
  if (hub !== undefined && found.hubs === 0) throw notFound();
}

/**
 * A page of the boxes that match, with sums of all of them: two statements.
 * @throws AppError 400 for a filter that is not understood, 404 for a hub that the person may not read
 */
export async function readOrders(db: Db, actor: StaffActor, request: OrderRequest, page: Page): Promise<OrderList> {
  const found = await findOrderPage(db, filterOf(actor, request), request.sort, page);
  checkHub(request, found);
  const boxes = found.ids.length === 0 ? [] : await findListedBoxes(db, found);
  return {
    orders: boxes.map((box) => toListedOrder(box, can(actor.grants, "people.read", box.hub.id))),
    sums: {
      orders: found.orders,
      lines: found.lines,
      total: dollars(found.total_cents),
      due: dollars(found.due_cents),
      matchingUnits: found.matching_units,
    },
    all: found.all,
  };
}

/**
 * Numbers of all boxes that match, in the order of the list.
 * @throws AppError as `readOrders`, and 422 `too_many`
 */
export async function readOrderIds(db: Db, actor: StaffActor, request: OrderRequest): Promise<number[]> {
  const found = await findOrderIds(db, filterOf(actor, request), request.sort, IDS_MAX);
  checkHub(request, found);
  if (found.orders > IDS_MAX)
    throw new AppError(
      422,
      `${found.orders.toLocaleString("en-US")} orders match. Choose at most ${IDS_MAX.toLocaleString("en-US")} at once: narrow the filter, for instance to one day.`,
      { code: "too_many", total: found.orders },
    );
  return found.ids;
}
