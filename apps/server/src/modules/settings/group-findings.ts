import type { CheckResult } from "@marketday/contracts/admin/settings";

import { type Finding, kindOf } from "../doctor/find-problems.ts";

const ORDER = ["wrong", "work", "information"] as const;

/** Findings of the same check with the same advice together, what is wrong first. */
export function groupFindings(findings: readonly Finding[]): CheckResult["findings"] {
  const groups = Map.groupBy(findings, ({ invariant, advice }) => `${invariant} ${advice}`);
  return [...groups.values()]
    .map((group) => ({
      check: group[0]!.invariant,
      kind: kindOf(group[0]!),
      advice: group[0]!.advice,
      problems: group.map(({ problem }) => problem),
    }))
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}
