import { BOM, csvLines } from "../../lib/csv.ts";
import { loggedQuery } from "../../lib/logged-query.ts";
import { escapeNone } from "../../lib/none.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findGridRows, findOfferIds, type GridRow } from "./offers-sql.ts";
import { checkHub, filterOf, type OfferRequest } from "./read-offers.ts";
import { cellsOf } from "./serialize.ts";

/** Offers that are read at once: the memory of an export does not grow with its length. */
const BATCH = 500;

/** Columns of a products file, so that what was changed in a spreadsheet can be pasted into the grid, or imported. */
const COLUMNS: readonly [string, (row: GridRow, cells: ReturnType<typeof cellsOf>) => string][] = [
  ["slug", ({ product }) => escapeNone(product.slug)],
  ["title", (_, { title }) => escapeNone(title)],
  ["vendor", ({ vendor }) => escapeNone(vendor.slug)],
  ["variant", ({ variant }) => escapeNone(variant)],
  ["unit", (_, { unit }) => escapeNone(unit)],
  ["hub", ({ hub }) => escapeNone(hub.slug)],
  ["price", (_, { price }) => price],
  ["sale_price", (_, { sale_price: sale }) => sale],
  ["inventory", (_, { inventory }) => inventory],
  ["inventory_exported", (_, { inventory }) => inventory],
  ["weekly_inventory", (_, { weekly_inventory: weekly }) => weekly],
  ["offered", (_, { offered }) => offered],
  ["storage", (_, { storage }) => storage],
  ["tags", (_, { tags }) => escapeNone(tags)],
  ["published", (_, { published }) => published],
];

/**
 * Exports the offers that match, as lines of CSV in the order of the grid. They are found before the first line and read in batches, each
 * as it is by then. The export is in the audit log, with its filter (`loggedQuery`) and its count.
 * @throws AppError as `readOffers`
 */
export async function exportOffers(
  ctx: Context,
  actor: StaffActor,
  request: OfferRequest,
): Promise<AsyncGenerator<string, void>> {
  const { db } = ctx.deps;
  const filter = filterOf(actor, request);
  const found = await findOfferIds(db, filter, ctx.now);
  checkHub(request, found);
  const { text: q, words } = loggedQuery(filter);
  await writeAuditEntry(db, ctx, {
    action: "offers export",
    subject: request.hub === undefined ? "products" : `hub:${request.hub}`,
    reason: "",
    data: { q, words, count: found.ids.length },
  });
  return (async function* lines() {
    yield BOM + csvLines([COLUMNS.map(([name]) => name)]);
    for (let start = 0; start < found.ids.length; start += BATCH) {
      const rows = await findGridRows(db, { ids: found.ids.slice(start, start + BATCH) }, filter.hubs, ctx.now);
      yield csvLines(
        rows.map((row) => {
          const cells = cellsOf(row);
          return COLUMNS.map(([, cell]) => cell(row, cells));
        }),
      );
    }
  })();
}
