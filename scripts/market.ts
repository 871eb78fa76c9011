import { buildCommandLine } from "./lib/cli/command-line.ts";
import { runCommandLine } from "./lib/cli/run.ts";

const args = process.argv.slice(2);
process.exitCode = await runCommandLine(await buildCommandLine(args), args);
