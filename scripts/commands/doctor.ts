import { lineName } from "@marketday/domain/cart";
import type { Deps } from "@marketday/server/deps";
import { findMissingSizes } from "@marketday/server/modules/doctor/find-missing-sizes";
import { failedChecks, type Finding, findProblems, isProblem } from "@marketday/server/modules/doctor/find-problems";
import { storeChecks } from "@marketday/server/modules/health/stored-health";
import { settingWarnings } from "@marketday/server/setting-warnings";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";

/** Warnings about settings, as on start. They do not affect the exit code. */
const SETTINGS = "settings";
const CHANGE_SETTINGS = "Change these in .env, and start the server again.";

/** Products without a size. They do not affect the exit code. */
const SIZE = "size";
const NAME_SIZES =
  "Shoppers don't see how much they buy. Write the size as the unit, such as 8 oz, or each for what is sold by the piece (market products set SLUG --variant TITLE --unit UNIT, or an import: docs/operating.md, Vendors and products).";
/** How many of them are named. */
const NAMED_SIZES = 20;

/** "jam: Strawberry jam, Each (Oak Farm)"; of many the first, and how many more there are. */
async function findSizeGaps({ db }: Deps): Promise<Finding[]> {
  const rows = await findMissingSizes(db);
  const named = rows
    .slice(0, NAMED_SIZES)
    .map((row) => `${row.slug}: ${lineName(row.product_title, row.variant_title)} (${row.vendor})`);
  const more = rows.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more.toLocaleString("en-US")} more`] : [])].map((problem) => ({
    invariant: SIZE,
    problem,
    advice: NAME_SIZES,
  }));
}

const OPENING = "opening";
const NOT_OPEN = "No one can order yet (docs/operating.md, Opening a market from nothing).";

/** What is missing before anyone can order, with the command that imports it. These do not affect the exit code. */
async function findOpeningGaps({ db }: Deps): Promise<Finding[]> {
  const isPublished = { where: { is_published: true } };
  const gaps = [
    { problem: "There is no hub.", count: await db.hub.count(isPublished), from: "market hubs import FILE" },
    { problem: "There is no vendor.", count: await db.vendor.count(isPublished), from: "market vendors import FILE" },
    {
      problem: "No hub offers a product.",
      count: await db.offer.count(isPublished),
      from: "market products import FILE, with the columns hub and price",
    },
  ];
  return gaps
    .filter(({ count }) => count === 0)
    .map(({ problem, from }) => ({
      invariant: OPENING,
      problem: `${problem} Import with: ${from}`,
      advice: NOT_OPEN,
    }));
}

/** `market doctor`: the findings of `audit()`, and what to do about them. Exit code 1 when something is wrong. */
export const doctorCommand = (): Command =>
  command({
    name: "doctor",
    summary: "check that stock, orders and money add up",
    about:
      "Changes nothing. Lists what is wrong, and what to do about it. Run it daily. Orders that could not be charged are listed until they are charged, paid or written off, other failed work until it succeeds. Open disputes are listed with the day to answer by, and refunds that did not go back until they are settled. Open authorizations, refunds and disputes are compared with the payment provider's; if it does not answer, that is listed, and the rest is checked. This, disputes that a bank decides, warnings about settings, products on sale without a size, and what is missing before the market can open are listed with exit code 0.",
    examples: ["doctor"],
    async run({ out, market }) {
      const found = await market(async (ctx) => {
        const problems = await findProblems(ctx);
        await storeChecks(ctx.deps.db, failedChecks(problems), ctx.now);
        return [
          ...problems,
          ...settingWarnings(ctx.deps.env).map(({ message }) => ({
            invariant: SETTINGS,
            problem: message,
            advice: CHANGE_SETTINGS,
          })),
          ...(await findOpeningGaps(ctx.deps)),
          ...(await findSizeGaps(ctx.deps)),
        ];
      });
      const addsUp = found.every((each) => !isProblem(each) || [SETTINGS, OPENING, SIZE].includes(each.invariant));
      if (!addsUp) process.exitCode = EXIT.refused;
      out.answer(found, () => {
        const groups = Map.groupBy(found, ({ invariant, advice }) => `${out.color.red(invariant)}: ${advice}`);
        return [
          ...(addsUp ? [out.color.green("Everything adds up.")] : []),
          ...[...groups].flatMap(([title, problems]) => [title, ...problems.map(({ problem }) => `  ${problem}`)]),
        ].join("\n");
      });
    },
  });
