import type { Command } from "commander";

export interface AcceptNames {
  acceptNames?: boolean;
}

/** The option of imports that takes names which look like a mistake. */
export const acceptNames = (command: Command): Command =>
  command.option(
    "--accept-names",
    "take names, units and codes that look like a spreadsheet's dates or numbers, or nearly like an existing name",
  );
