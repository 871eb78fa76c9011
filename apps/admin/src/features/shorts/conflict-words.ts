import * as t from "#messages/shorts";

import type { CountForm } from "./count-form.ts";

const sharesOf = ({ gets }: CountForm): string =>
  gets === null
    ? t.byRuleShort
    : t.byHandOf(
        Object.entries(gets)
          .toSorted(([one], [other]) => Number(one) - Number(other))
          .map(([, units]) => String(units)),
      );

/**
 * A count in words that tell it from another one: "9 of 12", and what else is not the same, as "9 of 12, store credit". `of`: units ordered
 * with each.
 */
export function tellApart(form: CountForm, of: number, other: CountForm): string {
  const shares = sharesOf(form);
  return [
    t.cameOf(form.came.trim() || "?", of),
    shares !== sharesOf(other) && shares,
    form.refundTo !== other.refundTo && t.refundToWords[form.refundTo],
    form.bearer !== other.bearer && t.bearerWords[form.bearer],
    form.reason.trim() !== other.reason.trim() && t.reasonWords(form.reason.trim()),
  ]
    .filter((part) => part !== false)
    .join(", ");
}
