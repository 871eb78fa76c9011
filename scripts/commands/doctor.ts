import { isProblem } from "@marketday/server/modules/doctor/find-problems";
import { runChecks } from "@marketday/server/modules/doctor/run-checks";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";

/** `market doctor`: the findings of `audit()`, and what to do about them. Exit code 1 when something is wrong. */
export const doctorCommand = (): Command =>
  command({
    name: "doctor",
    summary: "check that stock, orders and money add up",
    about:
      "Changes nothing. Lists what is wrong, and what to do about it. Run it daily. Orders that could not be charged are listed until they are charged, paid or written off, other failed work until it succeeds. Open disputes are listed with the day to answer by, and refunds that did not go back until they are settled. Open authorizations, refunds and disputes are compared with the payment provider's; if it does not answer, that is listed, and the rest is checked. This, disputes that a bank decides, warnings about settings, products on sale without a size, and what is missing before the market can open are listed with exit code 0.",
    examples: ["doctor"],
    async run({ out, market }) {
      const found = await market(runChecks);
      const addsUp = !found.some(isProblem);
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
