import { enableCompileCache } from "node:module";

// Enabled before everything else is loaded: saves a third of the time of a short command.
enableCompileCache();
const [{ buildCommandLine }, { runCommandLine }] = await Promise.all([
  import("./lib/cli/command-line.ts"),
  import("./lib/cli/run.ts"),
]);

// If the reader closes the pipe (`| head`), the command runs to its end and its output is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const args = process.argv.slice(2);
process.exitCode = await runCommandLine(await buildCommandLine(args), args);
