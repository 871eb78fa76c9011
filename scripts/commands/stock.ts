import { findItems } from "@marketday/domain/item-ref";
import { lineName } from "@marketday/domain/line-name";
import { toDollars, cents } from "@marketday/domain/money";
import { findStock, setValues, type StockRow } from "@marketday/server/modules/imports/set-values";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { fromOptions, isChanged } from "../lib/files/set-values.ts";

/** "Brown eggs, Dozen=12": 12 can be sold. */
interface Count {
  item: string;
  units: string;
}

function countOf(text: string): Count {
  const [, item, units] = /^(.+)=\s*(\d{1,3}(?:,?\d{3})*)\s*$/.exec(text) ?? [];
  if (item === undefined || units === undefined)
    throw new InvalidArgumentError(
      `"${text}" is not a count. Write ITEM=UNITS, such as 1234=12 or "Brown eggs, Dozen=12".`,
    );
  return { item, units };
}

const titleOf = ({ product, variant }: Pick<StockRow, "product" | "variant">): string => lineName(product, variant);

/** The one variant in one hub that a count is of. */
function rowOf(rows: readonly StockRow[], { item }: Count, hub: string | undefined, vendor: string): StockRow {
  const [only, ...more] = findItems(rows, item);
  if (!only || more.length > 0) {
    const titles = (only ? [only, ...more] : rows).map((row) => `${titleOf(row)} (${row.variantId})`);
    const problem = only ? `"${item}" may be more than one item of ${vendor}` : `${vendor} has no "${item}"`;
    throw new CliError(EXIT.refused, `${problem}: ${[...new Set(titles)].join("; ")}. Nothing was written.`);
  }
  const offered = rows.filter(({ variantId }) => variantId === only.variantId);
  const meant = hub === undefined ? offered : offered.filter((row) => row.hub === hub);
  const hubs = offered.map((row) => row.hub).join(", ");
  if (meant.length === 1) return meant[0]!;
  throw meant.length > 1
    ? new CliError(EXIT.usage, `${titleOf(only)} is sold in ${hubs}. Say which with --hub. Nothing was written.`)
    : new CliError(EXIT.refused, `${titleOf(only)} is not sold in "${hub}", only in ${hubs}. Nothing was written.`);
}

const count = (): Command =>
  command<{ hub?: string }>({
    name: "count <vendor>",
    summary: "list what a vendor has for sale, to count it",
    about:
      "For sale is what can still be sold: units in carts that are being paid and in orders have left it. Refilled to is what the\nbeginning of a week sets it to.",
    examples: ["stock count oak-farm", "stock count oak-farm --hub carmel"],
    options: (made) => made.option("--hub <slug>", "only in this hub"),
    async run({ options: { hub }, out, market }, slug) {
      const { vendor, rows: all } = await market((ctx) => findStock(ctx, slug));
      const rows = hub === undefined ? all : all.filter((row) => row.hub === hub);
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
    summary: "set how many of a vendor's items can be sold",
    about:
      'A count is ITEM=UNITS: 1234=12 or "Brown eggs, Dozen=12". The item is its number or its name as `stock count` and the\nsheets print it. Count what is left for sale: what is ordered already is not in it. All counts are set, or none.',
    examples: ['stock set oak-farm "Brown eggs, Dozen=12" 1234=0', "stock set oak-farm 1234=12 --hub carmel --dry-run"],
    options: (made) => made.option("--hub <slug>", "in this hub, for what is sold in several"),
    writes: true,
    async run({ options, out, market, signal }, slug, texts) {
      const counts = (texts as unknown as string[]).map(countOf);
      const dryRun = options.dryRun === true;
      const { items, outcome } = await fromOptions(() =>
        market(
          async (ctx) => {
            const { vendor, rows } = await findStock(ctx, slug);
            const found = counts.map((each) => ({ row: rowOf(rows, each, options.hub, vendor), units: each.units }));
            const [first, ...others] = found.map(({ row, units }) => ({
              slug: row.slug,
              variant: row.variant,
              hub: row.hub,
              price: toDollars(cents(row.priceCents)).toFixed(2),
              inventory: units,
            }));
            const how = { action: "stock set", subject: `vendor:${slug}`, dryRun, signal };
            return { items: found, outcome: await setValues(ctx, [first!, ...others], how) };
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
          ? "Nothing changes: these are the counts already."
          : [
              `${dryRun ? "Would set" : "Set"} ${some(changes.length, "counts")} of ${slug}:`,
              ...changes.map(({ item, hub, from, to }) => `  ${item}, ${hub}: ${from} → ${to}`),
            ].join("\n"),
      );
    },
  });

/** `market stock count|set`. */
export const stockCommand = (): Command =>
  group("stock", "count what a vendor has for sale, and set it", [count(), set()]);
