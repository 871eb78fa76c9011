import type { CheckResult } from "@marketday/contracts/admin/settings";

import { failedChecks } from "../doctor/find-problems.ts";
import { runChecks } from "../doctor/run-checks.ts";
import type { Context } from "../identity/context.ts";
import { groupFindings } from "./group-findings.ts";

async function check(ctx: Context): Promise<CheckResult> {
  const findings = await runChecks(ctx);
  return {
    checkedAt: ctx.now.toISOString(),
    failed: failedChecks(findings).length,
    findings: groupFindings(findings),
  };
}

/** Every check, once at a time: who comes while they run, shares their result. They may take longer than a browser waits. */
export function createCheckNow(): (ctx: Context) => Promise<CheckResult> {
  let running: Promise<CheckResult> | null = null;
  return (ctx) =>
    (running ??= check(ctx).finally(() => {
      running = null;
    }));
}
