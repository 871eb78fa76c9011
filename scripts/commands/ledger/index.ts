import type { Command } from "commander";

import { group } from "../../lib/cli/command.ts";
import { list } from "./list.ts";
import { payouts } from "./payouts.ts";
import { reverse } from "./reverse.ts";
import { statement } from "./statement.ts";

/** `market ledger …`: what vendors have earned, and what they were paid. */
export const ledgerCommand = (): Command =>
  group("ledger", "what vendors have earned, and their payouts", [statement(), payouts(), list(), reverse()]);
