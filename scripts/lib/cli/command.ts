import { userInfo } from "node:os";

import { confirm, isCancel } from "@clack/prompts";
import type { Env } from "@marketday/server/env";
import type { Context } from "@marketday/server/lib/context";
import { Command } from "commander";

import { type Opening, withMarket } from "../market-deps.ts";
import { EXIT, CliError } from "./exit.ts";
import { interruption } from "./interruption.ts";
import { type Output, output } from "./output.ts";

/** Options every command understands; those it has no use for are not offered. */
export interface Standard {
  json?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  reason?: string;
}

/** What a command works with. */
export interface Tools<O> {
  options: O & Standard;
  out: Output;
  /** Aborted by Ctrl-C: long work stops at its next step and writes nothing. */
  signal: AbortSignal;
  /**
   * Opens the market (database, payments, mail), beside a running server or without one, and closes it again.
   * Ctrl-C ends what it does in the database, unless it says that it `stopsItself` by the signal.
   */
  market<T>(work: (ctx: Context) => Promise<T>, how?: Omit<Opening, "signal">): Promise<T>;
  /** Asks on a terminal; `--yes` answers; elsewhere it refuses. */
  sure(question: string): Promise<void>;
}

/** One command: what it is called, what its `--help` says, what it does. */
export interface Spec<O> {
  /** "cancel <order>" */
  name: string;
  /** One line, for the list. */
  summary: string;
  /** More, for its own page. */
  about?: string;
  /** Command lines without "./market"; each is run by a test (docs/operating.md). */
  examples: readonly [string, ...string[]];
  options?: (command: Command) => Command;
  /** It writes: `--dry-run` is offered. */
  writes?: boolean;
  /** It does what cannot be undone: `--yes` is offered. */
  asks?: boolean;
  /** It is an act by hand that is written down: `--reason` is required, or may be given. */
  reason?: boolean | "optional";
  /** What Ctrl-C in the middle says; when left out: for what writes that it may be run again, else that nothing was written. */
  stopped?: string;
  run: (tools: Tools<O>, ...args: string[]) => Promise<void>;
}

/** An act may have been done in the very instant it was stopped. */
const ACTS_ONCE = "Stopped. Run it again to see whether it was done: the same words act once.";

/** Who stands in the audit rows: MARKET_OPERATOR, else the name of the account on this machine. */
function operatorName(env: Env): string {
  if (env.operator !== null) return env.operator;
  try {
    return userInfo().username;
  } catch {
    return "operator";
  }
}

function tools<O>(options: O & Standard, spec: Spec<O>): Tools<O> {
  const out = output(options.json === true);
  const signal = interruption();
  return {
    options,
    out,
    signal,
    market: (work, how = {}) =>
      withMarket(
        (deps) => work({ now: deps.clock.now(), actor: { type: "operator", name: operatorName(deps.env) }, deps }),
        { ...how, signal },
      ).catch((error: unknown) => {
        const words = spec.stopped ?? (spec.writes && !options.dryRun && !how.stopsItself ? ACTS_ONCE : undefined);
        throw words !== undefined && signal.aborted && error === signal.reason
          ? new CliError(EXIT.interrupted, words)
          : error;
      }),
    async sure(question) {
      if (options.yes || options.dryRun) return;
      if (!process.stdin.isTTY || !process.stdout.isTTY || out.json)
        throw new CliError(EXIT.usage, `${question} Say --yes to do it; nothing was done.`);
      const answer = await confirm({ message: question, initialValue: false });
      if (isCancel(answer)) throw new CliError(EXIT.interrupted, "Stopped. Nothing was written.");
      if (!answer) throw new CliError(EXIT.refused, `Nothing was done (${spec.name}).`);
    },
  };
}

/** Lines as the terminal is wide, but for texts with indented lists, which stand as they are. */
const flowing = (text: string | undefined): string | undefined =>
  text === undefined || text.includes("\n ") ? text : text.replaceAll("\n", " ");

/** Makes a command of its description. */
export function command<O = object>(spec: Spec<O>): Command {
  const made = new Command()
    .name(spec.name.split(" ", 1)[0] ?? "")
    .summary(spec.summary)
    .description([`${spec.summary}.`, flowing(spec.about)].filter(Boolean).join("\n\n"))
    .exitOverride()
    .showHelpAfterError("(--help says how)");
  for (const argument of spec.name.split(" ").slice(1)) made.argument(argument);
  spec.options?.(made);
  if (spec.reason === "optional") made.option("--reason <text>", "why; it is kept with who and when", "");
  else if (spec.reason) made.requiredOption("--reason <text>", "why; it is kept with who and when");
  if (spec.writes) made.option("--dry-run", "check everything and say what would be done, write nothing");
  if (spec.asks) made.option("--yes", "do not ask");
  made.option("--json", "print one JSON value and nothing else");
  made.addHelpText("after", ["", "Examples:", ...spec.examples.map((line) => `  ./market ${line}`)].join("\n"));
  return made.action(async (...all: unknown[]) => {
    // commander passes the arguments, the options, then itself.
    const given = all.slice(0, -2) as (string | undefined)[];
    const options = all.at(-2) as O & Standard;
    if (spec.reason === true && options.reason?.trim() === "")
      throw new CliError(EXIT.usage, "--reason is empty: say why.");
    await spec.run(tools(options, spec), ...(given as string[]));
  });
}

/** Commands about one thing: `market orders …`. */
export function group(name: string, summary: string, commands: readonly Command[]): Command {
  const made = new Command(name).summary(summary).description(`${summary}.`).exitOverride();
  for (const each of commands) made.addCommand(each);
  return made;
}
