import { isRolledBack, isUnavailable, sqlState } from "@marketday/db";
import { EmbeddedError } from "@marketday/db/embedded";
import { MigrateError } from "@marketday/db/migrate";
import { RoleError } from "@marketday/db/roles";
import { SettingError } from "@marketday/server/env";
import { AppError } from "@marketday/server/lib/app-error";
import { BackupError } from "@marketday/server/modules/backup/manifest";
import { type Command, CommanderError, InvalidArgumentError } from "commander";

import { DemoError } from "../demo.ts";
import { EXIT, type ExitCode, CliError, fileProblem } from "./exit.ts";
import { stripControls } from "./output.ts";

const INSUFFICIENT_PRIVILEGE = "42501";

interface ExitReport {
  code: ExitCode;
  message: string;
  details?: Record<string, unknown>;
}

function toExitReport(error: unknown): ExitReport {
  if (error instanceof InvalidArgumentError) return { code: EXIT.usage, message: error.message };
  if (error instanceof CliError) return { code: error.code, message: error.message, details: error.details };
  if (error instanceof AppError)
    return { code: error.status === 503 ? EXIT.away : EXIT.refused, message: error.message, details: error.details };
  if (error instanceof DemoError || error instanceof BackupError) return { code: EXIT.refused, message: error.message };
  if (error instanceof SettingError || error instanceof RoleError) return { code: EXIT.usage, message: error.message };
  if (error instanceof MigrateError || error instanceof EmbeddedError)
    return { code: EXIT.away, message: error.message };
  if (!(error instanceof Error)) return { code: EXIT.defect, message: String(error) };
  if (isUnavailable(error))
    return {
      code: EXIT.away,
      message: `The database went away (${error.message}). ${isRolledBack(error) ? "What was under way was taken back." : "It may have been done: look before you run it again."}`,
    };
  if (sqlState(error) === INSUFFICIENT_PRIVILEGE)
    return {
      code: EXIT.usage,
      message: `The database does not let this command's role do that (${error.message}). Give it its rights with ./market database grant ROLE (docs/security.md); what was under way was taken back.`,
    };
  const { code, path } = error as NodeJS.ErrnoException;
  // A write to an open file fails without its path.
  const sentence = code === undefined ? undefined : fileProblem(code, path ?? "a file");
  if (sentence !== undefined) return { code: EXIT.refused, message: `${sentence} What was under way was taken back.` };
  return { code: EXIT.defect, message: error.stack ?? error.message };
}

/**
 * Runs the command line.
 * @returns the exit code; errors are printed on standard error, as JSON with `--json`
 */
export async function runCommandLine(market: Command, args: readonly string[]): Promise<ExitCode> {
  try {
    await market.parseAsync(args, { from: "user" });
    return (process.exitCode as ExitCode | undefined) ?? EXIT.done;
  } catch (error) {
    // commander has printed it already.
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError))
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { code, message, details } = toExitReport(error);
    const asJson = JSON.stringify({ error: message, code, ...details });
    console.error(args.includes("--json") ? asJson : stripControls(message));
    return code;
  }
}
