import type { TextRow } from "@marketday/server/modules/imports/export-file";
import type { Column } from "@marketday/server/modules/imports/kind";
import { offerColumns, products, variantColumns } from "@marketday/server/modules/imports/kinds/products";
import { findProductRows, setValues, type ValueRow } from "@marketday/server/modules/imports/set-values";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { fromOptions, isChanged } from "../lib/files/set-values.ts";

/** What says which rows are set; all other columns of a products file can be. */
const SELECTING = new Set(["slug", "variant", "hub"]);
const settable = products.columns.filter(({ name }) => !SELECTING.has(name));
const flagOf = ({ name }: Column): string => `--${name.replaceAll("_", "-")}`;
/** As commander names the option of a column: sale_price is salePrice. */
const optionOf = ({ name }: Column): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type Options = { variant?: string; hub?: string } & Record<string, string | undefined>;

/** What an option says to take a value away. */
const NONE = "none";
const isIn = (columns: readonly Column[], { name }: Column): boolean => columns.some((each) => each.name === name);

/** The variants that are meant, each with its rows. */
function variantsOf(rows: readonly TextRow[], wanted: string | undefined, slug: string): [string, TextRow[]][] {
  const all = [...Map.groupBy(rows, ({ variant }) => variant ?? "")];
  const found =
    wanted === undefined ? all : all.filter(([title]) => title.toLowerCase() === wanted.trim().toLowerCase());
  if (found.length > 0) return found;
  const titles = all.map(([title]) => title).join(", ");
  throw new CliError(
    EXIT.refused,
    `${slug} has no variant "${wanted}". Its variants are ${titles}. Nothing was written.`,
  );
}

/** The rows of a file that would set the values. */
function valueRows(
  slug: string,
  given: readonly (readonly [Column, string])[],
  rows: readonly TextRow[],
  { variant, hub }: Options,
): [ValueRow, ...ValueRow[]] {
  const columns = given.map(([column]) => column);
  const ofOffers = columns.some((column) => isIn(offerColumns, column));
  const ofVariants = ofOffers || columns.some((column) => isIn(variantColumns, column));
  const variants = variantsOf(rows, variant, slug);
  if (ofVariants && variants.length > 1)
    throw new CliError(
      EXIT.usage,
      `${slug} has ${variants.length} variants: ${variants.map(([title]) => title).join(", ")}. Say which with --variant. Nothing was written.`,
    );
  const [title, theirs] = variants[0]!;
  const values = Object.fromEntries(given.map(([{ name }, value]) => [name, value]));
  if (!ofOffers) return [{ slug, variant: title, ...values }];
  const offered = theirs.filter((row) => row["hub"] !== null);
  const meant = hub === undefined ? offered : offered.filter((row) => row["hub"] === hub);
  // A hub that does not have it yet gets it, when there is a price.
  const [first = { hub: hub ?? null }, ...others] = meant;
  if (first["hub"] === null)
    throw new CliError(
      EXIT.usage,
      `${title} of ${slug} is not in any hub yet. Say which with --hub. Nothing was written.`,
    );
  const rowOf = (row: TextRow): ValueRow => ({
    slug,
    variant: title,
    hub: row["hub"] ?? "",
    price: row["price"] ?? "",
    // A new price is compared with the sale price that stays.
    ...(values["price"] !== undefined && { sale_price: row["sale_price"] ?? "" }),
    ...values,
  });
  return [rowOf(first), ...others.map(rowOf)];
}

/** What changes, a line each: "Dozen, carmel: price 6.50 → 6.75". */
function changeLines(
  given: readonly (readonly [Column, string])[],
  to: readonly ValueRow[],
  rows: readonly TextRow[],
): string[] {
  return given.flatMap(([column, value]) => {
    const { name, cell } = column;
    const ofOffer = isIn(offerColumns, column);
    const ofVariant = isIn(variantColumns, column);
    return (ofOffer ? to : to.slice(0, 1)).flatMap(({ variant, hub }) => {
      const before = rows.find(
        (row) => (!ofOffer && !ofVariant) || (row["variant"] === variant && (!ofOffer || row["hub"] === hub)),
      );
      const had = before?.[name] ?? "";
      const valueOf = (text: string) => JSON.stringify(text === "" ? null : cell.read(text, null));
      if (valueOf(had) === valueOf(value)) return [];
      const where = [ofVariant || ofOffer ? variant : null, ofOffer ? hub : null].filter(Boolean).join(", ");
      return [`  ${where === "" ? "" : `${where}: `}${name} ${had || NONE} → ${value || NONE}`];
    });
  });
}

/** `market products set SLUG`: single values, as an import of a file with just these cells writes them. */
export const setProducts = (): Command =>
  command<Options>({
    name: "set <slug>",
    summary: "set a price, the stock or another value of one product",
    about: [
      "Sets what is given and leaves the rest; `none` takes a value away. Prices and stock are those of a variant (--variant,",
      "when it has several) in all its hubs, or in one (--hub). A hub that does not have the variant gets it with --price.",
    ].join("\n"),
    examples: [
      "products set brown-eggs --variant Dozen --price 6.75",
      "products set goat-cheese --hub carmel --sale-price none --inventory 12",
      "products set goat-cheese --published no",
    ],
    options: (made) => {
      made.option("--variant <title>", "the variant that is meant").option("--hub <slug>", "only in this hub");
      for (const column of settable) made.option(`${flagOf(column)} <value>`, column.about ?? column.cell.right);
      return made;
    },
    writes: true,
    async run({ options, out, market, signal }, slug) {
      const given = settable.flatMap((column) => {
        const value = options[optionOf(column)];
        return value === undefined ? [] : [[column, value.trim() === NONE ? "" : value.trim()] as const];
      });
      if (given.length === 0)
        throw new CliError(
          EXIT.usage,
          "Say what to set, such as --price 4.50; --help lists everything. Nothing was written.",
        );
      const dryRun = options.dryRun === true;
      const { rows, to, outcome } = await fromOptions(() =>
        market(
          async (ctx) => {
            const before = await findProductRows(ctx, slug);
            const wanted = valueRows(slug, given, before, options);
            const how = { action: "products set", subject: `product:${slug}`, dryRun, signal };
            return { rows: before, to: wanted, outcome: await setValues(ctx, wanted, how) };
          },
          { long: true },
        ),
      );
      out.answer({ slug, changed: isChanged(outcome), counts: outcome.counts, dryRun }, () =>
        isChanged(outcome)
          ? [`${dryRun ? "Would set" : "Set"} ${slug}:`, ...changeLines(given, to, rows)].join("\n")
          : `Nothing changes: ${slug} has ${given.length === 1 ? "this value" : "these values"} already.`,
      );
    },
  });
