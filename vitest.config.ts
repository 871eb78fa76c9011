import { fileURLToPath } from "node:url";

import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

import { galleryPictures } from "./packages/ui/gallery/pictures.ts";
import { browserFlags, findBrowser } from "./scripts/lib/browser.ts";

const isSoak = process.env["TEST_SIZE"] === "soak";

/** ms. Nothing here proves a speed: limits only end what hangs, and full-size runs take as long as they take. */
const limit = isSoak ? 3_600_000 : 600_000;

/** Files that measure time and memory in `pnpm soak`. There they run after all others, one at a time. */
const measuring = isSoak
  ? [
      "apps/server/src/plugins/floods.test.ts",
      "apps/server/src/plugins/idle-sockets.test.ts",
      "apps/server/src/modules/problems/upload-flood.test.ts",
    ]
  : [];

/** Files that `pnpm test` leaves to its second run of vitest, which is at their large size. */
const later = (process.env["TEST_LATER"] ?? "").split(",").filter(Boolean);
const never = ["**/node_modules/**", "**/dist/**", "**/generated/**", "**/e2e/**", ...later];

const withDatabase = {
  globalSetup: ["prisma/test/global-setup.ts"],
  setupFiles: ["prisma/test/restore.ts", "prisma/test/setup.ts"],
  pool: "forks" as const,
  // A worker loads the server's modules once for all its files, which takes a quarter of the time off.
  isolate: false,
};

export default defineConfig({
  test: {
    strictTags: false,
    testTimeout: limit,
    hookTimeout: limit,
    teardownTimeout: 60_000,
    // A poll waits for a state, which a busy machine reaches late.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          setupFiles: ["prisma/test/restore.ts", "apps/web/test/without-page.ts"],
          include: [
            "packages/**/*.test.{ts,tsx}",
            "apps/server/src/lib/**/*.test.ts",
            "apps/{web,admin}/**/*.test.{ts,tsx}",
          ],
          exclude: [...never, "**/*.db.test.ts", "packages/ui/test/**"],
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [galleryPictures()],
        // Named here, because a package that Vite discovers while tests run reloads their page.
        optimizeDeps: {
          include: [
            "react",
            "react/jsx-dev-runtime",
            "react/jsx-runtime",
            "react-dom",
            "react-dom/client",
            "react-router",
            "axe-core",
          ],
        },
        test: {
          name: "components",
          root: "packages/ui",
          include: ["test/**/*.test.tsx"],
          setupFiles: [fileURLToPath(new URL("packages/ui/test/setup.ts", import.meta.url))],
          // Files share one page, which saves most of their time; `render` leaves nothing in it.
          isolate: false,
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: await findBrowser(), args: browserFlags },
              contextOptions: { locale: "en-US", timezoneId: "America/Indiana/Indianapolis", reducedMotion: "reduce" },
              actionTimeout: 60_000,
            }),
            viewport: { width: 1280, height: 860 },
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: "api",
          include: ["prisma/**/*.test.ts", "apps/server/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...never, ...measuring, "apps/server/src/lib/**/!(*.db).test.ts"],
          ...withDatabase,
          // With two, a machine of two cores is idle half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      ...(measuring.length === 0
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: "measurements",
                include: measuring,
                exclude: never,
                ...withDatabase,
                maxWorkers: 1,
                sequence: { groupOrder: 2 },
              },
            },
          ]),
    ],
  },
});
