import { findItems } from "@marketday/domain/item-ref";
import { lineName } from "@marketday/domain/line-name";
import { findOrderItems, type OrderedItem } from "@marketday/server/modules/orders/find-orders";
import { type MissingUnits, shortOrder } from "@marketday/server/modules/orders/short-order";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT, Refusal } from "../../lib/cli/exit.ts";
import { destination, usd, whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** "Brown eggs, Dozen=2/3": 2 of 3 came. */
interface Count {
  item: string;
  came: number;
  of: number;
}

function countOf(text: string): Count {
  const [, item, came, of] = /^(.+)=(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  if (item === undefined || Number(came) >= Number(of))
    throw new InvalidArgumentError(
      `"${text}" is not a count. Write ITEM=CAME/ORDERED, such as 1234=2/3 when 2 of 3 came; \`orders show\` lists the items.`,
    );
  return { item, came: Number(came), of: Number(of) };
}

/** The variant that a count names, among the items of an order. */
function variantOf({ item }: Count, items: readonly OrderedItem[], order: string): number {
  const found = findItems(items, item);
  const [only] = found;
  if (only && found.length === 1) return only.variantId;
  const titles = (found.length > 0 ? found : items).map(
    ({ variantId, product, variant }) => `${lineName(product, variant)} (${variantId})`,
  );
  throw new Refusal(
    EXIT.refused,
    `${found.length > 0 ? `"${item}" may be more than one item of ${order}` : `There is no "${item}" in ${order}`}: ${[...new Set(titles)].join("; ")}. Nothing was done.`,
  );
}

/** `market orders short`. */
export const short = (): Command =>
  command<{ to: "card" | "credit" }>({
    name: "short <order> <counts...>",
    summary: "note what could not be picked: money back at once, and a mail",
    about:
      "A count is ITEM=CAME/ORDERED: 1234=2/3 says that 2 of 3 came. The item is its variant number or its name as `orders show`\nand the sheets print it. After the cutoff. The order is lowered by what is missing with tip, tax and fee, the vendors' shares\ntoo, and the units are written off. The same count again does nothing; when one more is missing later, count again: 1234=1/2.",
    examples: [
      'orders short 123456789 1234=2/3 --reason "frost"',
      'orders short 123456789 "Brown eggs, Dozen=0/1" --reason "fox" --to card',
    ],
    options: (made) => made.option("--to <where>", "where the money goes: credit or card", destination, "credit"),
    writes: true,
    reason: true,
    async run({ options, out, market }, id, words) {
      const number = whole(id);
      const counts = (words as unknown as string[]).map(countOf);
      const dryRun = options.dryRun === true;
      const done = await market(async (ctx) => {
        const order = await wholeOrder(ctx, number);
        const items = await findOrderItems(ctx.deps.db, [order.id]);
        const missing = counts.map((count): MissingUnits => ({
          variantId: variantOf(count, items, `order ${order.id}`),
          quantity: count.of - count.came,
          of: count.of,
        }));
        const twice = missing.find(({ variantId }, place) =>
          missing.slice(0, place).some((earlier) => earlier.variantId === variantId),
        );
        if (twice) throw new Refusal(EXIT.usage, `Variant ${twice.variantId} is counted twice. Nothing was done.`);
        return shortOrder(ctx, order.id, missing, { to: options.to, reason: options.reason ?? "", dryRun });
      });
      out.answer({ ...done, dryRun }, () => {
        if (done.items.length === 0) return `Order ${number} has no more than that already; nothing was done.`;
        const names = done.items.map(({ quantity, title }) => `${quantity} × ${title}`).join(", ");
        const where = options.to === "card" ? "the card" : "store credit";
        return dryRun
          ? `Would take ${names} off order ${number}; ${usd(done.backCents)} back to ${where}.`
          : `Took ${names} off order ${number}; ${usd(done.backCents)} back to ${where}.`;
      });
    },
  });
