import type { TestProject } from "vitest/node";

import { generate } from "../src/generate.ts";
import { startTestPostgres } from "./postgres.ts";

/** Starts the Postgres of the run and provides its address to the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generate();
  const { adminUrl, template, stop } = await startTestPostgres();
  project.provide("postgres", { adminUrl, template });
  return stop;
}
