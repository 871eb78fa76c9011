import { can } from "@marketday/domain/staff";

import { BOM, csvLines } from "../../lib/csv.ts";
import { loggedQuery } from "../../lib/logged-query.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findListedBoxes, type ListedBox } from "./boxes-sql.ts";
import { findOrderIds } from "./list-sql.ts";
import { checkHub, filterOf, type OrderRequest } from "./read-orders.ts";
import { toListedOrder } from "./serialize.ts";

/** Boxes that are read at once: the memory of an export does not grow with its length. */
const BATCH = 500;

/** What a cell is made of. `readsPeople`: in the hub of the box. */
interface Line {
  box: ListedBox;
  order: ReturnType<typeof toListedOrder>;
  readsPeople: boolean;
}
interface Column {
  name: string;
  /** Only for those who read people in some hub. */
  isOfPeople?: true;
  /** Only with a filter by product or vendor. */
  isOfMatches?: true;
  cell: (line: Line) => string;
}

const number = (value: number | null): string => (value === null ? "" : String(value));

const COLUMNS: readonly Column[] = [
  { name: "day", cell: ({ order }) => order.day },
  { name: "hub", cell: ({ order }) => order.hub.slug },
  { name: "order", cell: ({ order }) => String(order.orderId) },
  { name: "tote", cell: ({ order }) => number(order.tote) },
  { name: "status", cell: ({ order }) => order.status },
  { name: "name", cell: ({ order }) => order.name },
  { name: "email", isOfPeople: true, cell: ({ box, readsPeople }) => (readsPeople ? box.email : "") },
  { name: "phone", isOfPeople: true, cell: ({ box, readsPeople }) => (readsPeople ? box.phone : "") },
  { name: "address", isOfPeople: true, cell: ({ box, readsPeople }) => (readsPeople ? box.address : "") },
  { name: "way", cell: ({ order }) => (order.isPickup ? "pickup" : "door") },
  { name: "where", cell: ({ order }) => order.place },
  { name: "driver", cell: ({ order }) => number(order.driver) },
  { name: "stop", cell: ({ order }) => number(order.stop) },
  { name: "lines", cell: ({ order }) => String(order.lines) },
  { name: "units", cell: ({ order }) => String(order.units) },
  { name: "matching units", isOfMatches: true, cell: ({ order }) => number(order.matchingUnits) },
  { name: "total", cell: ({ order }) => order.total.toFixed(2) },
  { name: "money", cell: ({ order }) => order.money.state },
  { name: "amount", cell: ({ order }) => order.money.amount.toFixed(2) },
  { name: "flags", cell: ({ order }) => order.flags.join(" ") },
  { name: "placed", cell: ({ order }) => order.placedAt },
];

/**
 * Exports the boxes that match, as lines of CSV in the order of the list. They are found before the first line and read in batches, each
 * as it is by then. The export is in the audit log, with its filter (`loggedQuery`), its count and
 * whether it has the columns about people, also when it is not read to its end.
 * @throws AppError as `readOrders`
 */
export async function exportOrders(
  ctx: Context,
  actor: StaffActor,
  request: OrderRequest,
): Promise<AsyncGenerator<string, void>> {
  const { db } = ctx.deps;
  const filter = filterOf(actor, request);
  const found = await findOrderIds(db, filter, request.sort, null);
  checkHub(request, found);
  const people = can(actor.grants, "people.read", "any");
  const isOfMatches = filter.tokens.some(({ name }) => name === "product" || name === "vendor");
  const columns = COLUMNS.filter((column) => (!column.isOfPeople || people) && (!column.isOfMatches || isOfMatches));
  const { text: q, words } = loggedQuery(filter);
  await writeAuditEntry(db, ctx, {
    action: "orders export",
    subject: request.hub === undefined ? "orders" : `hub:${request.hub}`,
    reason: "",
    data: { q, words, people, sort: request.sort, count: found.orders },
  });
  return (async function* lines() {
    yield BOM + csvLines([columns.map(({ name }) => name)]);
    for (let start = 0; start < found.ids.length; start += BATCH) {
      const slice = { ids: found.ids.slice(start, start + BATCH), units: found.units.slice(start, start + BATCH) };
      const boxes = await findListedBoxes(db, slice);
      yield csvLines(
        boxes.map((box) => {
          const readsPeople = can(actor.grants, "people.read", box.hub.id);
          const line = { box, readsPeople, order: toListedOrder(box, readsPeople) };
          return columns.map(({ cell }) => cell(line));
        }),
      );
    }
  })();
}
