import { lineName } from "@marketday/domain/cart";
import { findItems } from "@marketday/domain/item-ref";
import { findOrderItems, type OrderedItem } from "@marketday/server/modules/orders/find-orders";
import { type MissingUnits, shortBox } from "@marketday/server/modules/orders/short-order";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { bearer, destination, formatMoneyBack, hasFailedRefund, parseCount } from "../../lib/cli/values.ts";
import { capitalize, oneTarget, type ToteOption, withTote } from "./targets.ts";

/** "Brown eggs, Dozen=2/3": 2 of 3 arrived. */
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

/** The variant of a count, among the items of an order. @throws CliError when none or several match */
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
  command<ToteOption & { to: "card" | "credit"; bearer: "market" | "vendor" }>({
    name: "short <order> <counts...>",
    summary: "record missing units of an order: refund them, and email the customer",
    about:
      "A count is ITEM=CAME/ORDERED: 1234=2/3 means that 2 of 3 came. The item is a variant number or its name as `orders show`\nand the sheets print it. Only after the cutoff. The order is reduced by the missing units with tip, tax and fee, the vendors'\nshares too, and the units are written off. The same count again does nothing; if one more is missing later, count again:\n1234=1/2. With --tote the count covers the whole tote. If several boxes lack the same item, use `market short`.\nWith --bearer market the vendors keep their shares.",
    examples: [
      'orders short 123456789 1234=2/3 --reason "frost"',
      'orders short carmel 2026-11-26 "Brown eggs, Dozen=0/1" --tote 7 --reason "fox" --to card',
    ],
    options: (cmd) =>
      withTote(cmd)
        .option("--to <where>", "where the money is refunded to: credit or card", destination, "credit")
        .option("--bearer <who>", "who bears it: vendor or market", bearer, "vendor"),
    writes: true,
    reason: true,
    async run({ options, out, market }, order, rest) {
      const args = rest as unknown as string[];
      const targetWords = options.tote ? [order, ...args.slice(0, 1)] : [order];
      const counts = args.slice(targetWords.length - 1).map(itemCount);
      if (counts.length === 0) throw new CliError(EXIT.usage, "Give a count, such as 1234=2/3. Nothing was done.");
      const dryRun = options.dryRun === true;
      const { label, done } = await market(async (ctx) => {
        const { label, orderIds } = await oneTarget(ctx, targetWords, options.tote);
        const items = await findOrderItems(ctx.deps.db, orderIds);
        const missing = counts.map((each): MissingUnits => ({
          variantId: variantOf(each, items, label),
          quantity: each.of - each.came,
          of: each.of,
        }));
        const duplicate = missing.find(({ variantId }, index) =>
          missing.slice(0, index).some((earlier) => earlier.variantId === variantId),
        );
        if (duplicate)
          throw new CliError(EXIT.usage, `Variant ${duplicate.variantId} is counted twice. Nothing was done.`);
        const input = { to: options.to, bearer: options.bearer, reason: options.reason ?? "", dryRun };
        return { label, done: await shortBox(ctx, orderIds, missing, input) };
      });
      if (hasFailedRefund(done)) process.exitCode = EXIT.refused;
      out.answer({ ...done, dryRun }, () => {
        if (done.items.length === 0) return `${capitalize(label)} already has these counts; nothing was done.`;
        const names = done.items.map(({ quantity, title }) => `${quantity} × ${title}`).join(", ");
        return `${dryRun ? "Would remove" : "Removed"} ${names} from ${label}; ${formatMoneyBack(done, options.to)}.`;
      });
    },
  });
