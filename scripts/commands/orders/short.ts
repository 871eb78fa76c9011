import { findItems } from "@marketday/domain/item-ref";
import { lineName } from "@marketday/domain/line-name";
import { findOrderItems, type OrderedItem } from "@marketday/server/modules/orders/find-orders";
import { type MissingUnits, shortBox } from "@marketday/server/modules/orders/short-order";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { destination, parseCount, usd } from "../../lib/cli/values.ts";
import { capital, oneTarget, type ToteOption, withTote } from "./targets.ts";

/** "Brown eggs, Dozen=2/3": 2 of 3 came. */
interface ItemCount {
  item: string;
  came: number;
  of: number;
}

function itemCount(text: string): ItemCount {
  const cut = text.lastIndexOf("=");
  const found = parseCount(text.slice(cut + 1));
  if (cut < 1 || !found)
    throw new InvalidArgumentError(
      `"${text}" is not a count. Write ITEM=CAME/ORDERED, such as 1234=2/3 when 2 of 3 came; \`orders show\` lists the items.`,
    );
  return { item: text.slice(0, cut), ...found };
}

/** The variant that a count names, among the items of an order. */
function variantOf({ item }: ItemCount, items: readonly OrderedItem[], order: string): number {
  const found = findItems(items, item);
  const [only] = found;
  if (only && found.length === 1) return only.variantId;
  const titles = (found.length > 0 ? found : items).map(
    ({ variantId, product, variant }) => `${lineName(product, variant)} (${variantId})`,
  );
  throw new CliError(
    EXIT.refused,
    `${found.length > 0 ? `"${item}" may be more than one item of ${order}` : `There is no "${item}" in ${order}`}: ${[...new Set(titles)].join("; ")}. Nothing was done.`,
  );
}

/** `market orders short`. */
export const short = (): Command =>
  command<ToteOption & { to: "card" | "credit" }>({
    name: "short <order> <counts...>",
    summary: "note what could not be picked: money back at once, and a mail",
    about:
      "A count is ITEM=CAME/ORDERED: 1234=2/3 says that 2 of 3 came. The item is its variant number or its name as `orders show`\nand the sheets print it. After the cutoff. The order is lowered by what is missing with tip, tax and fee, the vendors' shares\ntoo, and the units are written off. The same count again does nothing; when one more is missing later, count again: 1234=1/2.\nWith a tote the count is of all that is in it. When several boxes lack the same item, use `market short`.",
    examples: [
      'orders short 123456789 1234=2/3 --reason "frost"',
      'orders short carmel 2026-11-26 "Brown eggs, Dozen=0/1" --tote 7 --reason "fox" --to card',
    ],
    options: (made) =>
      withTote(made).option("--to <where>", "where the money goes: credit or card", destination, "credit"),
    writes: true,
    reason: true,
    async run({ options, out, market }, order, rest) {
      const words = rest as unknown as string[];
      const named = options.tote ? [order, ...words.slice(0, 1)] : [order];
      const counts = words.slice(named.length - 1).map(itemCount);
      if (counts.length === 0) throw new CliError(EXIT.usage, "Give what came, such as 1234=2/3. Nothing was done.");
      const dryRun = options.dryRun === true;
      const { label, done } = await market(async (ctx) => {
        const { label, orderIds } = await oneTarget(ctx, named, options.tote);
        const items = await findOrderItems(ctx.deps.db, orderIds);
        const missing = counts.map((each): MissingUnits => ({
          variantId: variantOf(each, items, label),
          quantity: each.of - each.came,
          of: each.of,
        }));
        const twice = missing.find(({ variantId }, place) =>
          missing.slice(0, place).some((earlier) => earlier.variantId === variantId),
        );
        if (twice) throw new CliError(EXIT.usage, `Variant ${twice.variantId} is counted twice. Nothing was done.`);
        const input = { to: options.to, reason: options.reason ?? "", dryRun };
        return { label, done: await shortBox(ctx, orderIds, missing, input) };
      });
      out.answer({ ...done, dryRun }, () => {
        if (done.items.length === 0) return `${capital(label)} has no more than that already; nothing was done.`;
        const names = done.items.map(({ quantity, title }) => `${quantity} × ${title}`).join(", ");
        return `${dryRun ? "Would take" : "Took"} ${names} off ${label}; ${usd(done.backCents)} back to ${options.to === "card" ? "the card" : "store credit"}.`;
      });
    },
  });
