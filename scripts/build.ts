import { generate } from "../prisma/src/generate.ts";
import { BuildError, buildWeb } from "./lib/web-build.ts";

// `pnpm build`: what `pnpm start` would build first, for places where a running server cannot write its own folder.
try {
  await generate();
  console.log((await buildWeb(console.log)) ? "Built." : "Everything is built.");
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exitCode = 1;
}
