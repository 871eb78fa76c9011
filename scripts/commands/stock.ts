import { lineName } from "@marketday/domain/cart";
import { findItems } from "@marketday/domain/item-ref";
import { findStock, type StockRow } from "@marketday/server/modules/imports/find-rows";
import { setValues } from "@marketday/server/modules/imports/set-values";
import { findWatched } from "@marketday/server/modules/today/counts-sql";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { fromOptions, isChanged } from "../lib/files/import-errors.ts";

/** "Brown eggs, Dozen=12": 12 units for sale. */
interface Count {
  item: string;
  units: string;
}

function parseCount(text: string): Count {
  const [, item, units] = /^(.+)=\s*(\d{1,3}(?:,?\d{3})*)\s*$/.exec(text) ?? [];
  if (item === undefined || units === undefined)
    throw new InvalidArgumentError(
      `"${text}" is not a count. Write ITEM=UNITS, such as 1234=12 or "Brown eggs, Dozen=12".`,
    );
  return { item, units };
}

const titleOf = ({ product, variant }: Pick<StockRow, "product" | "variant">): string => lineName(product, variant);

/** The row of a count. @throws CliError when none or several match */
function rowOf(rows: readonly StockRow[], { item }: Count, hub: string | undefined, vendor: string): StockRow {
  const [only, ...more] = findItems(rows, item);
  if (!only || more.length > 0) {
    const titles = (only ? [only, ...more] : rows).map((row) => `${titleOf(row)} (${row.variantId})`);
    const problem = only ? `"${item}" may be more than one item of ${vendor}` : `${vendor} has no "${item}"`;
    throw new CliError(EXIT.refused, `${problem}: ${[...new Set(titles)].join("; ")}. Nothing was written.`);
  }
  const offers = rows.filter(({ variantId }) => variantId === only.variantId);
  const matches = hub === undefined ? offers : offers.filter((row) => row.hub === hub);
  const hubs = offers.map((row) => row.hub).join(", ");
  if (matches.length === 1) return matches[0]!;
  throw matches.length > 1
    ? new CliError(EXIT.usage, `${titleOf(only)} is sold in ${hubs}. Choose one with --hub. Nothing was written.`)
    : new CliError(EXIT.refused, `${titleOf(only)} is not sold in "${hub}", only in ${hubs}. Nothing was written.`);
}

const count = (): Command =>
  command<{ hub?: string }>({
    name: "count <vendor>",
    summary: "list a vendor's stock for sale",
    about:
      '"For sale" is what can still be sold, without units in open checkouts and in orders. "Refilled to" is the stock that is\nset at the start of each week.',
    examples: ["stock count oak-farm", "stock count oak-farm --hub carmel"],
    options: (cmd) => cmd.option("--hub <slug>", "only in this hub"),
    async run({ options: { hub }, out, market }, slug) {
      const { vendor, rows: allRows } = await market((ctx) => findStock(ctx, slug));
      const rows = hub === undefined ? allRows : allRows.filter((row) => row.hub === hub);
      out.answer({ vendor: slug, rows }, () =>
        rows.length === 0
          ? `${vendor} sells nothing${hub === undefined ? "" : ` in "${hub}"`}.`
          : [
              `${vendor}: ${some(rows.length, "items")}`,
              out.table(
                ["number", "item", "unit", "hub", "for sale", "refilled to", ""],
                rows.map((row) => [
                  row.variantId,
                  titleOf(row),
                  row.unit,
                  row.hub,
                  row.inventory,
                  row.weeklyInventory,
                  row.published ? "" : "not shown in the shop",
                ]),
                ["number", "for sale", "refilled to"],
              ),
            ].join("\n"),
      );
    },
  });

const set = (): Command =>
  command<{ hub?: string }>({
    name: "set <vendor> <counts...>",
    summary: "set a vendor's stock for sale",
    about:
      'A count is ITEM=UNITS: 1234=12 or "Brown eggs, Dozen=12". The item is a number or a name as `stock count` and the\nsheets print it. Count only what is left for sale, without ordered units. All counts are set, or none.',
    examples: ['stock set oak-farm "Brown eggs, Dozen=12" 1234=0', "stock set oak-farm 1234=12 --hub carmel --dry-run"],
    options: (cmd) => cmd.option("--hub <slug>", "in this hub, for items that are sold in several"),
    writes: true,
    async run({ options, out, market, signal }, slug, texts) {
      const counts = (texts as unknown as string[]).map(parseCount);
      const dryRun = options.dryRun === true;
      const { items, outcome } = await fromOptions(() =>
        market(
          async (ctx) => {
            const { vendor, rows } = await findStock(ctx, slug);
            const found = counts.map((each) => ({ row: rowOf(rows, each, options.hub, vendor), units: each.units }));
            const [first, ...others] = found.map(({ row, units }) => ({
              slug: row.slug,
              variant: "",
              variant_id: String(row.variantId),
              hub: row.hub,
              inventory: units,
            }));
            const setOptions = { action: "stock set", subject: `vendor:${slug}`, dryRun, accepted: null, signal };
            return { items: found, outcome: await setValues(ctx, [first!, ...others], setOptions) };
          },
          { long: true },
        ),
      );
      const changes = items
        .map(({ row, units }) => ({
          item: titleOf(row),
          hub: row.hub,
          from: row.inventory,
          to: Number(units.replaceAll(",", "")),
        }))
        .filter(({ from, to }) => from !== to);
      out.answer({ vendor: slug, changed: isChanged(outcome), changes, dryRun }, () =>
        changes.length === 0
          ? "Nothing changes: the items already have these counts."
          : [
              `${dryRun ? "Would set" : "Set"} ${some(changes.length, "counts")} of ${slug}:`,
              ...changes.map(({ item, hub, from, to }) => `  ${item}, ${hub}: ${from} → ${to}`),
            ].join("\n"),
      );
    },
  });

const watched = (): Command =>
  command<{ hub?: string }>({
    name: "watched",
    summary: "list sold-out items that shoppers watch, the most watched first",
    about:
      "Shoppers watch an item that was sold out when they put it into their cart. It is back there once it is in stock.",
    examples: ["stock watched", "stock watched --hub carmel"],
    options: (cmd) => cmd.option("--hub <hub>", "only in this hub: slug or id"),
    async run({ options: { hub }, out, market }) {
      const rows = await market(({ deps }) => findWatched(deps.db, hub ?? null));
      out.answer(rows, () =>
        rows.length === 0
          ? "No one watches a sold-out item."
          : out.table(
              ["number", "item", "vendor", "hub", "watched by"],
              rows.map((row) => [
                row.variant_id,
                lineName(row.product, row.variant),
                row.vendor,
                row.hub,
                some(row.watchers, "shoppers"),
              ]),
              ["number"],
            ),
      );
    },
  });

/** `market stock count|set|watched`. */
export const stockCommand = (): Command =>
  group("stock", "list and set the stock for sale", [count(), set(), watched()]);
