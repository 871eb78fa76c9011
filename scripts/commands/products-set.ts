import { isSameName } from "@marketday/domain/names";
import type { Accepted } from "@marketday/server/lib/amount-changes";
import { isNone, NONE } from "@marketday/server/lib/none";
import type { TextRow } from "@marketday/server/modules/imports/export-file";
import { findProductRows } from "@marketday/server/modules/imports/find-rows";
import type { Column } from "@marketday/server/modules/imports/kind";
import { offerColumns, products, variantColumns } from "@marketday/server/modules/imports/kinds/products";
import { setValues, type ValueRow } from "@marketday/server/modules/imports/set-values";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { type AcceptNames, acceptNames } from "../lib/files/accept-names.ts";
import { largeChanges, largeNote, withAcceptedChanges } from "../lib/files/amount-changes.ts";
import { fromOptions, isChanged } from "../lib/files/import-errors.ts";

/** Columns that select rows. All other columns of a products file can be set. */
const SELECTING = new Set(products.key);
const settable = products.columns.filter(({ name, isFromExport }) => !SELECTING.has(name) && !isFromExport);
const flagOf = ({ name }: Column): string => `--${name.replaceAll("_", "-")}`;
/** The name of a column's option in commander: sale_price → salePrice. */
const optionOf = ({ name }: Column): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type Options = { variant?: string; hub?: string } & Record<string, string | undefined>;

const isIn = (columns: readonly Column[], { name }: Column): boolean => columns.some((each) => each.name === name);

/** The selected variants, each with its rows. */
function variantsOf(rows: readonly TextRow[], title: string | undefined, slug: string): [string, TextRow[]][] {
  const all = [...Map.groupBy(rows, ({ variant }) => variant ?? "")];
  const exact = all.filter(([name]) => name === title?.trim());
  const near = all.filter(([name]) => title === undefined || isSameName(name, title));
  const found = exact.length > 0 ? exact : near;
  if (found.length > 0) return found;
  const titles = all.map(([name]) => name).join(", ");
  throw new CliError(
    EXIT.refused,
    `${slug} has no variant "${title}". Its variants are ${titles}. Nothing was written.`,
  );
}

/** The file rows that set the values. */
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
      `${slug} has ${variants.length} variants: ${variants.map(([title]) => title).join(", ")}. Choose one with --variant. Nothing was written.`,
    );
  const [title, variantRows] = variants[0]!;
  const values = Object.fromEntries(given.map(([{ name }, value]) => [name, value]));
  if (!ofOffers) return [{ slug, variant: title, ...values }];
  const offers = variantRows.filter((row) => row["hub"] !== null);
  const selected = hub === undefined ? offers : offers.filter((row) => row["hub"] === hub);
  // A hub that does not offer the variant yet gets a new offer, which needs a price.
  const [first = { hub: hub ?? null }, ...others] = selected;
  if (first["hub"] === null)
    throw new CliError(
      EXIT.usage,
      `${title} of ${slug} is not in any hub yet. Choose one with --hub. Nothing was written.`,
    );
  const rowOf = (row: TextRow): ValueRow => ({
    slug,
    variant: title,
    hub: row["hub"] ?? "",
    ...values,
  });
  return [rowOf(first), ...others.map(rowOf)];
}

/** One line per change: "Dozen, carmel: price 6.50 → 6.75". */
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
      const oldValue = before?.[name] ?? "";
      const valueOf = (text: string) => JSON.stringify(text === "" || isNone(text) ? null : cell.read(text, null));
      if (valueOf(oldValue) === valueOf(value)) return [];
      const scope = [ofVariant || ofOffer ? variant : null, ofOffer ? hub : null].filter(Boolean).join(", ");
      return [`  ${scope === "" ? "" : `${scope}: `}${name} ${oldValue || NONE} → ${isNone(value) ? NONE : value}`];
    });
  });
}

/** `market products set SLUG`: sets single values, like an import of a file with only these cells. */
export const setProducts = (): Command =>
  command<Options>({
    name: "set <slug>",
    summary: "set a price, the stock or another value of one product",
    about: [
      "Sets the given values and keeps the rest; `none` removes a value. Prices and stock are those of a variant (--variant, if",
      "it has several) in all its hubs, or in one (--hub). A hub that does not offer the variant yet needs --price.",
    ].join("\n"),
    examples: [
      "products set brown-eggs --variant Dozen --price 6.75",
      "products set goat-cheese --hub carmel --sale-price none --inventory 12",
      "products set goat-cheese --published no",
    ],
    options: (cmd) => {
      cmd.option("--variant <title>", "title of the variant").option("--hub <slug>", "only in this hub");
      for (const column of settable) cmd.option(`${flagOf(column)} <value>`, column.about ?? column.cell.right);
      return largeChanges(acceptNames(cmd));
    },
    writes: true,
    async run(tools, slug) {
      const { options, out, market, signal } = tools;
      const given = settable.flatMap((column) => {
        const value = options[optionOf(column)];
        return value === undefined ? [] : [[column, value.trim()] as const];
      });
      if (given.length === 0)
        throw new CliError(
          EXIT.usage,
          "Give a value to set, such as --price 4.50; --help lists all options. Nothing was written.",
        );
      const dryRun = options.dryRun === true;
      const isAccepted = (options as AcceptNames).acceptNames === true;
      const setWith = (accepted: Accepted) =>
        market(
          async (ctx) => {
            const before = await findProductRows(ctx, slug);
            const newRows = valueRows(slug, given, before, options);
            const setOptions = {
              action: "products set",
              subject: `product:${slug}`,
              dryRun,
              accepted,
              acceptNames: isAccepted,
              signal,
            };
            return { rows: before, to: newRows, outcome: await setValues(ctx, newRows, setOptions) };
          },
          { long: true },
        );
      const { rows, to, outcome } = await fromOptions(() => withAcceptedChanges(tools, slug, setWith));
      out.answer({ slug, changed: isChanged(outcome), counts: outcome.counts, dryRun }, () =>
        isChanged(outcome)
          ? [
              `${dryRun ? "Would set" : "Set"} ${slug}:`,
              ...changeLines(given, to, rows),
              ...largeNote(outcome.amounts, dryRun),
            ].join("\n")
          : `Nothing changes: ${slug} already has ${given.length === 1 ? "this value" : "these values"}.`,
      );
    },
  });
