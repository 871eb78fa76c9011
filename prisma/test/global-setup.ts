import type { TestProject } from "vitest/node";

import { generate } from "../src/generate.ts";
import { startTestPostgres } from "./postgres.ts";

/** Starts the run's Postgres and tells the tests where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generate();
  const { adminUrl, template, stop } = await startTestPostgres();
  project.provide("postgres", { adminUrl, template });
  return stop;
}
