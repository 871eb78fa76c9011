import { root, runProgram } from "./run.ts";

/** A test that `pnpm test` runs at a small size, or in part, and `pnpm soak` at full size. */
export interface FullSize {
  /** Test files, from the root of the repository. */
  tests: string[];
  /** What they guard: files, or folders with everything in them. */
  paths: string[];
}

const modules = (...names: string[]): string[] => names.map((name) => `apps/server/src/modules/${name}`);

/** `pnpm test` runs these at full size when something they guard, or they themselves, changed since `SOAKED`. */
export const FULL_SIZES: readonly FullSize[] = [
  {
    tests: modules("orders/sequences.test.ts", "orders/races.test.ts"),
    paths: [
      ...modules("cart", "checkout", "orders", "payments"),
      "apps/server/src/gateways/payments",
      "apps/server/test/sequences",
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
    tests: ["apps/server/src/jobs/failing-items.test.ts"],
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
    paths: ["scripts/lib/cli", "scripts/lib/market-deps.ts", "prisma/src/transaction.ts", "prisma/src/query.ts"],
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
      "scripts/start.ts",
      "scripts/market.ts",
      "scripts/test/image.ts",
    ],
  },
];

/** The commit at which `pnpm soak` was last green. */
const SOAKED = "c2a3daf7";

const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);

/** The test files whose full size these changed files call for. */
export const testsToRunFully = (changed: readonly string[], sizes: readonly FullSize[] = FULL_SIZES): string[] => [
  ...new Set(
    sizes
      .filter(({ tests, paths }) => changed.some((file) => [...tests, ...paths].some((path) => isIn(file, path))))
      .flatMap(({ tests }) => tests),
  ),
];

/** The test files to run at full size: all that could be, in a clone without the history since `SOAKED`. */
export async function chooseFullSize(): Promise<string[]> {
  const { code, output } = await runProgram("git", ["diff", "--name-only", "--no-renames", SOAKED], { cwd: root });
  return code === 0 ? testsToRunFully(output.split("\n")) : FULL_SIZES.flatMap(({ tests }) => tests);
}
