import { shortOrder } from "@marketday/server/modules/orders/short-order";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT, Refusal } from "../../lib/cli/exit.ts";
import { destination, usd, whole } from "../../lib/cli/values.ts";
import { keyOf, wholeOrder } from "./whole-order.ts";

/** "1234=2": a variant of the order and how many of it are missing. */
function missingUnits(text: string): { variantId: number; quantity: number } {
  const [, variant, quantity] = /^(\d{1,9})=(\d{1,3})$/.exec(text) ?? [];
  if (!variant || !quantity)
    throw new InvalidArgumentError("Say VARIANT=HOW MANY, such as 1234=2; `orders show` lists the variants.");
  return { variantId: Number(variant), quantity: Number(quantity) };
}

/** `market orders short`. */
export const short = (): Command =>
  command<{ to: "card" | "credit" }>({
    name: "short <order> <lines...>",
    summary: "note what could not be picked: money back at once, and a mail",
    about:
      "A line is VARIANT=HOW MANY; `orders show` lists an order's variants. After the cutoff. The order is lowered by them with\ntip, tax and fee, the vendors' shares too, and the units are written off. The same command line acts once.",
    examples: ['orders short 123456789 1234=2 --reason "frost"'],
    options: (made) => made.option("--to <where>", "where the money goes: credit or card", destination, "credit"),
    writes: true,
    reason: true,
    async run({ options, out, market }, id, lines) {
      const number = whole(id);
      const missing = (lines as unknown as string[]).map(missingUnits);
      const done = await market(async (ctx) => {
        const order = await wholeOrder(ctx, number);
        const strange = missing.find(({ variantId }) => !order.items.some((item) => item.variantId === variantId));
        if (strange)
          throw new Refusal(EXIT.refused, `Order ${number} has no variant ${strange.variantId}. Nothing was done.`);
        const key = keyOf(
          "short",
          number,
          ...missing.map(({ variantId, quantity }) => `${variantId}=${quantity}`),
          options.reason,
        );
        return shortOrder(ctx, number, missing, {
          to: options.to,
          reason: options.reason ?? "",
          key,
          dryRun: options.dryRun === true,
        });
      });
      out.answer({ ...done, missing, dryRun: options.dryRun === true }, () =>
        options.dryRun
          ? `Would take ${missing.length} ${missing.length === 1 ? "line" : "lines"} off order ${number}; ${usd(done.backCents)} back to ${options.to === "card" ? "the card" : "store credit"}.`
          : `Order ${number} is short; ${usd(done.backCents)} back to ${options.to === "card" ? "the card" : "store credit"}.`,
      );
    },
  });
