import { Command } from "commander";

import { addHelp, withHelpWidth } from "./help.ts";

const manual = `
Every command
  --help     its page, with an example
  --json     one JSON value on standard output and nothing else; errors are JSON on standard error
  --dry-run  where it writes: check everything, say what would be done, write nothing
  --yes      skip the confirmation
  It is safe to run again, works beside a running server, and does all of it or nothing.

How it ends
  0    done, or all is well
  1    the market refused, or a check found a problem
  2    the command line or a setting is wrong
  3    a file cannot be imported as it is; nothing was written
  4    the database or a provider is unavailable or busy; try again
  5    --keep-going: some rows were rejected, the others were imported
  70   a bug in Marketday
  130  stopped by Ctrl-C; nothing was written

Settings come from the environment (.env.example). MARKET_OPERATOR is the name in the audit log, else the name
of your account on this machine. docs/operating.md explains how to run a market.`;

/** Commands that are loaded together, so that no command loads the dependencies of another one. */
interface CommandGroup {
  title: string;
  /** In the order of the manual. */
  names: readonly string[];
  load: () => Promise<readonly Command[]>;
}

const sold = "What is sold, and where";
const week = "The week";
const care = "Orders, people and money";
const clockwork = "The clockwork and its health";

const commandGroups: readonly CommandGroup[] = [
  { title: sold, names: ["hubs"], load: async () => [(await import("../../commands/hubs.ts")).hubsCommand()] },
  { title: sold, names: ["images"], load: async () => [(await import("../../commands/folders.ts")).imagesCommand()] },
  {
    title: sold,
    names: ["vendors", "products", "collections", "bundles", "posts", "banners", "discounts"],
    load: async () => (await import("../../commands/tables.ts")).tableCommands(),
  },
  { title: sold, names: ["stock"], load: async () => [(await import("../../commands/stock.ts")).stockCommand()] },
  { title: sold, names: ["content"], load: async () => [(await import("../../commands/folders.ts")).contentCommand()] },
  { title: week, names: ["week"], load: async () => [(await import("../../commands/week.ts")).weekCommand()] },
  { title: week, names: ["days"], load: async () => [(await import("../../commands/days.ts")).daysCommand()] },
  { title: week, names: ["sheets"], load: async () => [(await import("../../commands/sheets.ts")).sheetsCommand()] },
  { title: week, names: ["short"], load: async () => [(await import("../../commands/short.ts")).shortCommand()] },
  {
    title: care,
    names: ["orders"],
    load: async () => [(await import("../../commands/orders/index.ts")).ordersCommand()],
  },
  {
    title: care,
    names: ["refunds"],
    load: async () => [(await import("../../commands/refunds.ts")).refundsCommand()],
  },
  {
    title: care,
    names: ["disputes"],
    load: async () => [(await import("../../commands/disputes.ts")).disputesCommand()],
  },
  {
    title: care,
    names: ["customers"],
    load: async () => [(await import("../../commands/customers.ts")).customersCommand()],
  },
  { title: care, names: ["staff"], load: async () => [(await import("../../commands/staff.ts")).staffCommand()] },
  { title: care, names: ["inbox"], load: async () => [(await import("../../commands/inbox.ts")).inboxCommand()] },
  {
    title: care,
    names: ["problems", "applications", "credit", "gift-cards", "passes"],
    load: async () => (await import("../../commands/support.ts")).supportCommands(),
  },
  {
    title: care,
    names: ["ledger"],
    load: async () => [(await import("../../commands/ledger/ledger.ts")).ledgerCommand()],
  },
  {
    title: clockwork,
    names: ["doctor"],
    load: async () => [(await import("../../commands/doctor.ts")).doctorCommand()],
  },
  {
    title: clockwork,
    names: ["rehearse"],
    load: async () => [(await import("../../commands/rehearse.ts")).rehearseCommand()],
  },
  { title: clockwork, names: ["jobs"], load: async () => [(await import("../../commands/jobs.ts")).jobsCommand()] },
  {
    title: clockwork,
    names: ["backup", "restore"],
    load: async () => (await import("../../commands/backup.ts")).backupCommands(),
  },
  {
    title: clockwork,
    names: ["database"],
    load: async () => [(await import("../../commands/database.ts")).databaseCommand()],
  },
  { title: clockwork, names: ["demo"], load: async () => [(await import("../../commands/demo.ts")).demoCommand()] },
];

/**
 * The operators' command line: `./market <command>` (docs/product.md §14).
 * @param args its arguments: only the command they name is loaded, or all of them for the manual
 */
export async function buildCommandLine(args: readonly string[]): Promise<Command> {
  const market = new Command("market")
    .usage("<command> …")
    .description("Runs a market from the command line.")
    .configureHelp({ subcommandTerm: (each) => each.name(), sortSubcommands: false, showGlobalOptions: false })
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("(./market --help lists the commands)");
  withHelpWidth(addHelp(market, manual));
  const named = commandGroups.filter(({ names }) => names.includes(args[0] ?? ""));
  for (const { title, load } of named.length > 0 ? named : commandGroups) {
    market.commandsGroup(title);
    for (const each of await load()) market.addCommand(each);
  }
  return market;
}
