import type { Command } from "commander";

import { group } from "../../lib/cli/command.ts";
import { list } from "./list.ts";
import { payouts } from "./payouts.ts";
import { reverse } from "./reverse.ts";
import { statement } from "./statement.ts";

/** `market ledger …`: vendor earnings and payouts. */
export const ledgerCommand = (): Command =>
  group("ledger", "vendor earnings and payouts", [statement(), payouts(), list(), reverse()]);
