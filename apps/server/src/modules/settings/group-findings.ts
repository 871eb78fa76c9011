import type { CheckResult } from "@marketday/contracts/admin/settings";

import { type Finding, isProblem } from "../doctor/find-problems.ts";

/** Findings of the same check with the same advice together, what is wrong first. */
export function groupFindings(findings: readonly Finding[]): CheckResult["findings"] {
  const groups = Map.groupBy(findings, ({ invariant, advice }) => `${invariant} ${advice}`);
  return [...groups.values()]
    .map((group) => ({
      check: group[0]!.invariant,
      isProblem: isProblem(group[0]!),
      advice: group[0]!.advice,
      problems: group.map(({ problem }) => problem),
    }))
    .toSorted((one, other) => Number(other.isProblem) - Number(one.isProblem));
}
