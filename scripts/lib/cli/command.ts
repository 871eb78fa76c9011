import { userInfo } from "node:os";

import { confirm as askUser, isCancel } from "@clack/prompts";
import { cleanCode, cleanText } from "@marketday/domain/text";
import type { Env } from "@marketday/server/env";
import type { Context } from "@marketday/server/modules/identity/context";
import { Command } from "commander";

import { type Opening, withMarket } from "../market-deps.ts";
import { EXIT, CliError } from "./exit.ts";
import { withHelpWidth } from "./help.ts";
import { type Output, output } from "./output.ts";

/** The options that commands have in common; each command offers those that apply to it. */
interface Standard {
  json?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  acceptLargeChanges?: boolean;
  includeFuture?: boolean;
  reason?: string;
}

/** Flags that answer a question in advance, each with its option. */
const CONFIRMING = {
  "--yes": "yes",
  "--accept-large-changes": "acceptLargeChanges",
  "--include-future": "includeFuture",
} as const;
type ConfirmingFlag = keyof typeof CONFIRMING;

/** What a command receives. */
export interface Tools<O> {
  options: O & Standard;
  out: Output;
  /** Aborted by Ctrl-C: long work stops at its next step and writes nothing. */
  signal: AbortSignal;
  /**
   * Opens the market (database, payments, mail), whether or not a server runs, and closes it again. Ctrl-C terminates
   * its database connections, unless the work checks the signal (`stopsItself`).
   */
  market<T>(work: (ctx: Context) => Promise<T>, how?: Omit<Opening, "signal">): Promise<T>;
  /** Asks for confirmation on a terminal, unless the flag is given; default `--yes`. Throws without a terminal. */
  confirm(question: string, flag?: ConfirmingFlag): Promise<void>;
}

/** Confirms what has not come yet and can still change, which `--yes` does not. */
export const FUTURE = "--include-future";
export const includeFuture = (command: Command): Command =>
  command.option(FUTURE, "accept what is for days that have not come yet");

/** The definition of a command. */
export interface Spec<O> {
  /** "cancel <order>" */
  name: string;
  /** One line, for the list. */
  summary: string;
  /** The details, for `--help`. */
  about?: string;
  /** Command lines without "./market"; each is run by a test (docs/operating.md). */
  examples: readonly [string, ...string[]];
  options?: (command: Command) => Command;
  /** It writes: `--dry-run` is offered. */
  writes?: boolean;
  /** It cannot be undone: `--yes` is offered. */
  needsConfirmation?: boolean;
  /** It is a manual operation that is written to the audit log: `--reason` is required or optional. */
  reason?: boolean | "optional";
  /** The message after Ctrl-C. By default: commands that write may be run again, others wrote nothing. */
  stopped?: string;
  run: (tools: Tools<O>, ...args: string[]) => Promise<void>;
}

/** The operation may have been committed at the moment of the interruption. */
const RUN_AGAIN = "Stopped. Run it again to see whether it was done: the same command line takes effect once.";

/** The actor in the audit log: MARKET_OPERATOR, else the name of the account on this machine. */
function operatorName(env: Env): string {
  if (env.operator !== null) return env.operator;
  try {
    return userInfo().username;
  } catch {
    return "operator";
  }
}

let interruptSignal: AbortSignal | undefined;

/**
 * A signal that Ctrl-C aborts: running work stops at its next step and leaves nothing half-done. A second Ctrl-C ends
 * the process at once; the database rolls back.
 */
function listenForInterrupt(): AbortSignal {
  if (interruptSignal) return interruptSignal;
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new CliError(EXIT.interrupted, "Stopped. Nothing was written."));
    });
  return (interruptSignal = controller.signal);
}

function createTools<O>(options: O & Standard, spec: Spec<O>): Tools<O> {
  const out = output(options.json === true);
  const signal = listenForInterrupt();
  return {
    options,
    out,
    signal,
    market: (work, how = {}) =>
      withMarket(
        (deps) => work({ now: deps.clock.now(), actor: { type: "operator", name: operatorName(deps.env) }, deps }),
        { ...how, signal },
      ).catch((error: unknown) => {
        const message = spec.stopped ?? (spec.writes && !options.dryRun && !how.stopsItself ? RUN_AGAIN : undefined);
        throw message !== undefined && signal.aborted && error === signal.reason
          ? new CliError(EXIT.interrupted, message)
          : error;
      }),
    async confirm(question, flag = "--yes") {
      if (options.dryRun || options[CONFIRMING[flag]]) return;
      if (!process.stdin.isTTY || !process.stdout.isTTY || out.json)
        throw new CliError(EXIT.usage, `${question} Say ${flag} to do it; nothing was done.`);
      const answer = await askUser({ message: question, initialValue: false });
      if (isCancel(answer)) throw new CliError(EXIT.interrupted, "Stopped. Nothing was written.");
      if (!answer) throw new CliError(EXIT.refused, `Nothing was done (${spec.name}).`);
    },
  };
}

/** Names of arguments and of options' values that are compared as they are, and of those that are free text. */
const COMPARED = /^(?:bearer|customer|date|dollars|email|hub|numbers|order|payout|problem|slug|status|vendor|what|who)/;
const PATHS = /file|folder|path/;

/** What was typed or pasted, cleaned by the kind that its name says (docs/product.md §2 "Text"). Paths stay as they are. */
const cleanGiven = (name: string, given: string): string =>
  PATHS.test(name) ? given : COMPARED.test(name) ? cleanCode(given) : cleanText(given);

/** Cleans the values of a command's options before they are parsed. */
function cleanOptions(result: Command): void {
  for (const option of result.options) {
    const name = /[<[](.+?)[\]>]/.exec(option.flags)?.[1];
    if (name === undefined) continue;
    const { parseArg } = option;
    option.argParser((given, before) =>
      parseArg ? parseArg(PATHS.test(name) ? given : cleanCode(given), before) : cleanGiven(name, given),
    );
  }
}

/** Creates a command from its definition. */
export function command<O = object>(spec: Spec<O>): Command {
  const result = withHelpWidth(new Command())
    .name(spec.name.split(" ", 1)[0] ?? "")
    .summary(spec.summary)
    .description([`${spec.summary}.`, spec.about].filter(Boolean).join("\n\n"))
    .exitOverride()
    .showHelpAfterError("(--help says how)");
  for (const argument of spec.name.split(" ").slice(1)) result.argument(argument);
  spec.options?.(result);
  if (spec.reason === "optional") result.option("--reason <text>", "why; it is kept with who and when", "");
  else if (spec.reason) result.requiredOption("--reason <text>", "why; it is kept with who and when");
  if (spec.writes) result.option("--dry-run", "check everything and say what would be done, write nothing");
  if (spec.needsConfirmation) result.option("--yes", "do not ask");
  result.option("--json", "print one JSON value and nothing else");
  result.addHelpText("after", ["", "Examples:", ...spec.examples.map((line) => `  ./market ${line}`)].join("\n"));
  cleanOptions(result);
  return result.action(async (...all: unknown[]) => {
    // commander passes the arguments, the options, then itself.
    const given = (all.slice(0, -2) as (string | string[] | undefined)[]).map((argument, place) => {
      const name = result.registeredArguments[place]?.name() ?? "";
      if (Array.isArray(argument)) return argument.map((one) => cleanGiven(name, one));
      return argument === undefined ? undefined : cleanGiven(name, argument);
    });
    const options = all.at(-2) as O & Standard;
    if (spec.reason === true && options.reason?.trim() === "")
      throw new CliError(EXIT.usage, "--reason is empty: say why.");
    await spec.run(createTools(options, spec), ...(given as string[]));
  });
}

/** A group of commands: `market orders …`. */
export function group(name: string, summary: string, commands: readonly Command[]): Command {
  const result = withHelpWidth(new Command(name)).summary(summary).description(`${summary}.`).exitOverride();
  for (const each of commands) result.addCommand(each);
  return result;
}
