import { generate } from "../prisma/src/generate.ts";
import { BuildError, buildWeb } from "./lib/web-build.ts";

// `pnpm build`: builds in advance what `pnpm start` builds, for servers that cannot write to their own folder.
try {
  await generate();
  console.log((await buildWeb(console.log)) ? "Built." : "Everything is up to date.");
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exitCode = 1;
}
