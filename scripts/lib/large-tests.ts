import { runProgram } from "./run.ts";

/** Tests of which `pnpm test` leaves much out, unless what they guard changed (`size` and `isLarge` of prisma/test/size.ts). */
export interface LargeTests {
  /** Test files, from the root of the repository. */
  tests: string[];
  /** What they guard: files, or folders with everything in them except other tests. */
  paths: string[];
}

const modules = (...names: string[]): string[] => names.map((name) => `apps/server/src/modules/${name}`);

/** `pnpm test` runs these at their large size when something they guard, or they themselves, changed since `PROVEN`. */
export const LARGE_TESTS: readonly LargeTests[] = [
  {
    tests: modules("orders/state-machine.test.ts", "orders/races.test.ts", "checkout/attempt-machine.test.ts"),
    paths: [
      ...modules("cart", "checkout", "orders", "payments"),
      "apps/server/src/gateways/payments",
      "apps/server/test/state-machine",
    ],
  },
  {
    tests: modules("payments/killed-outcomes.test.ts"),
    paths: [
      ...modules("checkout", "gift-cards", "orders", "payments", "wagon-pass"),
      "apps/server/src/gateways/payments",
      "apps/server/test/kill-at.ts",
      "apps/server/test/killed.ts",
    ],
  },
  {
    tests: modules("cart/tabs-machine.test.ts"),
    paths: [
      ...modules("cart", "checkout", "auth", "subscriptions"),
      "apps/server/src/modules/identity",
      "apps/server/src/plugins/session.ts",
      "apps/server/test/tabs",
      "apps/web/test",
      "apps/web/src/app/follow-session.ts",
      "apps/web/src/app/session-polling.ts",
      "apps/web/src/features/cart",
      "apps/web/src/features/checkout",
      "apps/web/src/features/session",
      "apps/web/src/frames/checkout",
      "apps/web/src/lib",
      "packages/client/src",
    ],
  },
  {
    tests: modules("orders/carts.test.ts"),
    paths: [
      ...modules("checkout", "ledger"),
      "packages/domain/src/pricing.ts",
      "packages/domain/src/price-cart.ts",
      "packages/domain/src/promotion.ts",
      "packages/domain/src/money.ts",
    ],
  },
  {
    tests: ["scripts/commands/restore-older.test.ts"],
    paths: [
      ...modules("backup"),
      "prisma/migrations",
      "prisma/src/copy.ts",
      "prisma/src/migrate.ts",
      "prisma/src/scratch.ts",
    ],
  },
  {
    tests: ["apps/server/src/lib/cache.db.test.ts"],
    paths: [
      "apps/server/src/lib/cache.ts",
      "apps/server/src/lib/send-cached.ts",
      "apps/server/src/changes.ts",
      "prisma/migrations",
      "prisma/src/listen.ts",
    ],
  },
  {
    tests: modules(
      "subscriptions/auto-checkout-processes.test.ts",
      "subscriptions/auto-checkout-outage.test.ts",
      "subscriptions/auto-checkout.test.ts",
      "subscriptions/next-boxes.test.ts",
    ),
    paths: [
      ...modules("subscriptions"),
      "apps/server/src/jobs/auto-checkout.ts",
      "apps/server/src/lib/process-queue.ts",
      "packages/domain/src/subscription.ts",
    ],
  },
  {
    tests: ["apps/server/src/jobs/failing-items.test.ts", "apps/server/src/jobs/failing-hubs.test.ts"],
    paths: ["apps/server/src/jobs", ...modules("job-failures"), "apps/server/src/lib/process-queue.ts"],
  },
  {
    tests: modules("auth/login-limits.test.ts"),
    paths: [
      "apps/server/src/lib/login-limits.ts",
      "apps/server/src/lib/limits.ts",
      "apps/server/src/lib/password.ts",
      ...modules("auth/login.ts", "auth/prove-password.ts"),
    ],
  },
  {
    tests: ["apps/server/src/plugins/floods.test.ts"],
    paths: [
      "apps/server/src/lib/limits.ts",
      "apps/server/src/lib/password.ts",
      "apps/server/src/plugins/json.ts",
      "apps/server/src/plugins/overload.ts",
      "apps/server/src/plugins/slow-bodies.ts",
    ],
  },
  {
    tests: ["scripts/commands/stop.test.ts"],
    paths: [
      "scripts/commands",
      "scripts/lib/cli",
      "scripts/lib/market-deps.ts",
      "prisma/src/transaction.ts",
      "prisma/src/query.ts",
    ],
  },
  {
    tests: ["apps/web/e2e/screens.e2e.ts"],
    paths: [
      "apps/web/src",
      "packages/client/src",
      "packages/ui/src",
      "apps/web/e2e/lib/axe.ts",
      "apps/web/e2e/lib/layout.ts",
      "apps/web/e2e/lib/small-targets.ts",
      "scripts/lib/screens",
    ],
  },
  {
    tests: ["scripts/image.test.ts"],
    paths: [
      "Dockerfile",
      ".dockerignore",
      "docker-compose.yml",
      "deploy/container",
      "docs/operating.md",
      "docs/deploying.md",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "apps/server/package.json",
      "prisma/package.json",
      "scripts/package.json",
      "scripts/start.ts",
      "scripts/market.ts",
      "scripts/lib/start-market.ts",
      "scripts/lib/database.ts",
      "scripts/test/image.ts",
    ],
  },
];

/** The commit at which all of them last passed at their large size (`pnpm test --large`). */
const PROVEN = "3d91ef5ee931";

const isTest = (file: string) => /\.(?:test|e2e)\.tsx?$/.test(file);
const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);

/** The test files that these changed files call for. */
export const chooseTests = (changed: readonly string[], list: readonly LargeTests[] = LARGE_TESTS): string[] => [
  ...new Set(
    list
      .filter(({ tests, paths }) =>
        changed.some((file) => tests.includes(file) || (!isTest(file) && paths.some((path) => isIn(file, path)))),
      )
      .flatMap(({ tests }) => tests),
  ),
];

/** The test files to run at their large size; in a clone without the history since `PROVEN` all of the list. */
export async function findLargeTests(): Promise<string[]> {
  const changed = await runProgram("git", ["diff", "--name-only", "--no-renames", "--relative", PROVEN]);
  const untracked = await runProgram("git", ["ls-files", "--others", "--exclude-standard"]);
  if (changed.code !== 0 || untracked.code !== 0) return LARGE_TESTS.flatMap(({ tests }) => tests);
  return chooseTests(`${changed.output}${untracked.output}`.split("\n"));
}
