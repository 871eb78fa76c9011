import { buildCommandLine } from "./lib/cli/command-line.ts";
import { runCommandLine } from "./lib/cli/run.ts";

// A reader that has enough (`| head`) closes the pipe: the command goes on to its end, and what it prints is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const args = process.argv.slice(2);
process.exitCode = await runCommandLine(await buildCommandLine(args), args);
