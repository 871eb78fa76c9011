import type { Command } from "commander";

import { group } from "../../lib/cli/command.ts";
import { cancel } from "./cancel.ts";
import { charge } from "./charge.ts";
import { deliver } from "./deliver.ts";
import { list } from "./list.ts";
import { paid } from "./paid.ts";
import { recall } from "./recall.ts";
import { refund } from "./refund.ts";
import { short } from "./short.ts";
import { show } from "./show.ts";
import { undoDeliver } from "./undo-deliver.ts";
import { undoPaid } from "./undo-paid.ts";
import { writeOff } from "./write-off.ts";

/** `market orders …`: listing and adjusting single orders. */
export const ordersCommand = (): Command =>
  group("orders", "find and adjust orders", [
    list(),
    show(),
    deliver(),
    undoDeliver(),
    charge(),
    paid(),
    undoPaid(),
    writeOff(),
    short(),
    refund(),
    cancel(),
    recall(),
  ]);
