import { lineName } from "@marketday/domain/cart";

import type { Deps } from "../../deps.ts";
import { settingWarnings } from "../../setting-warnings.ts";
import { storeChecks } from "../health/stored-health.ts";
import type { Context } from "../identity/context.ts";
import { findMissingSizes } from "./find-missing-sizes.ts";
import { failedChecks, type Finding, findProblems, OPENING, SETTINGS, SIZE } from "./find-problems.ts";

const CHANGE_SETTINGS = "Change these in .env, and start the server again.";

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

const NOT_OPEN = "No one can order yet (docs/operating.md, Opening a market from nothing).";

/** What is missing before anyone can order, with the command that imports it. */
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

/**
 * Every check of `market doctor`: what does not add up, then what is for information (`isProblem`): warnings about settings as on start,
 * what is missing before the market can open, products without a size. Stores what the hourly checks store; changes nothing else.
 */
export async function runChecks(ctx: Context): Promise<Finding[]> {
  const { deps, now } = ctx;
  const problems = await findProblems(ctx);
  await storeChecks(deps.db, failedChecks(problems), now);
  return [
    ...problems,
    ...settingWarnings(deps.env).map(({ message }) => ({
      invariant: SETTINGS,
      problem: message,
      advice: CHANGE_SETTINGS,
    })),
    ...(await findOpeningGaps(deps)),
    ...(await findSizeGaps(deps)),
  ];
}
