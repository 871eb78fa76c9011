import { deliverOrder } from "@marketday/server/modules/orders/deliver-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** `market orders deliver`. */
export const deliver = (): Command =>
  command({
    name: "deliver <order>",
    summary: "note that an order has arrived",
    about: "An order closes by itself at the end of its delivery day; this is for the one that must be closed now.",
    examples: ["orders deliver 123456789"],
    writes: true,
    reason: "optional",
    async run({ options, out, market }, id) {
      const dryRun = options.dryRun === true;
      const done = await market(async (ctx) => {
        const order = await wholeOrder(ctx, whole(id));
        return { orderIds: await deliverOrder(ctx, order.id, options.reason, dryRun), was: order.status };
      });
      out.answer({ ...done, dryRun }, () =>
        done.orderIds.length === 0
          ? `Order ${id} was closed already; nothing was done.`
          : `${dryRun ? "Would close" : "Closed"} ${done.orderIds.join(", ")}.`,
      );
    },
  });
