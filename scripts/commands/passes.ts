import { customerNamed } from "@marketday/server/modules/account/find-customers";
import { endPassByMarket } from "@marketday/server/modules/wagon-pass/end-pass";
import { type PassRow } from "@marketday/server/modules/wagon-pass/pass-sql";
import { findPass } from "@marketday/server/modules/wagon-pass/store";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";

/** "yearly, active since 2026-11-23, renews on 2027-11-23" */
const formatPass = (pass: PassRow): string => {
  const until = pass.renews_on ? `renews on ${pass.renews_on}` : `last day ${pass.ends_on ?? "unknown"}`;
  const declined = pass.declined > 0 ? `, declined ${pass.declined === 1 ? "once" : `${pass.declined} times`}` : "";
  return `${pass.plan}, ${pass.status}, since ${pass.started_on}, ${until}${declined}`;
};

/** `market passes …`. */
export const passesCommand = (): Command =>
  group("passes", "customers' wagon passes", [
    command({
      name: "show <customer>",
      summary: "show a customer's wagon pass",
      about: "The customer is a full email or an id.",
      examples: ["passes show rosa@little-wagon.example"],
      async run({ out, market }, who) {
        const pass = await market(async ({ deps }) => findPass(deps.db, (await customerNamed(deps.db, who)).id));
        if (!pass) process.exitCode = EXIT.refused;
        out.answer(pass, () => (pass ? formatPass(pass) : `${who} never had a wagon pass.`));
      },
    }),
    command({
      name: "end <customer>",
      summary: "end a customer's wagon pass on its renewal day, and email them",
      about:
        "It stays active until the day that is paid for and is not charged again. The reason is in the email. Nothing is given back.",
      examples: ['passes end rosa@little-wagon.example --reason "We stop deliveries to your town." --yes'],
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, who) {
        const { reason = "", dryRun = false } = options;
        await confirm(`End the wagon pass of ${who} and email them: "${reason}"?`);
        const pass = await market(async (ctx) =>
          endPassByMarket(ctx, (await customerNamed(ctx.deps.db, who)).id, { reason, dryRun }),
        );
        out.answer(
          { passId: pass.id, endsOn: pass.ends_on, dryRun },
          () => `${dryRun ? "Would end" : "Ended"} the wagon pass of ${who}: its last day is ${pass.ends_on}.`,
        );
      },
    }),
  ]);
