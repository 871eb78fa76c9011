import { defineConfig } from "@playwright/test";

import { browserFlags, findBrowser } from "../../scripts/lib/browser.ts";

/**
 * End-to-end tests: a real browser against the real stack. `e2e/stack/postgres.ts` builds the app and starts one Postgres for
 * the run; each worker opens a separate market in it (`e2e/lib/fixtures.ts`).
 */
export default defineConfig({
  testDir: "e2e",
  outputDir: "../../var/e2e",
  fullyParallel: true,
  // With two, the cores of a small machine wait half of the time.
  workers: 3,
  forbidOnly: Boolean(process.env["CI"]),
  // Nothing here proves a speed: limits only end what hangs.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    launchOptions: {
      executablePath: await findBrowser(),
      args: browserFlags,
    },
    locale: "en-US",
    timezoneId: "America/Indiana/Indianapolis",
    reducedMotion: "reduce",
    // A service worker would answer in place of the server; its test allows it.
    serviceWorkers: "block",
    trace: "off",
    screenshot: "only-on-failure",
  },
  projects: [{ name: "e2e", testMatch: /\.e2e\.ts$/, use: { viewport: { width: 1280, height: 860 } } }],
  webServer: {
    // Without a shell between, it sees that the runner was killed.
    command: `exec "${process.execPath}" e2e/stack/postgres.ts`,
    wait: { stdout: /^POSTGRES (?<postgres_url>\S+) (?<postgres_template>\S+) PICTURES (?<pictures>.+)$/m },
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
    stdout: "pipe",
  },
});
