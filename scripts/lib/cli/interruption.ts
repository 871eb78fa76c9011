import { EXIT, CliError } from "./exit.ts";

let shared: AbortSignal | undefined;

/**
 * A signal that Ctrl-C aborts: running work stops at its next step and leaves nothing half-done. A second Ctrl-C ends
 * the process at once; the database rolls back.
 */
export function interruption(): AbortSignal {
  if (shared) return shared;
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new CliError(EXIT.interrupted, "Stopped. Nothing was written."));
    });
  return (shared = controller.signal);
}
