/** Plurals and dates of one language, for its message catalogues (docs/decisions/0024). What they format with is made at first use. */

import type { CalendarDate } from "./calendar-date.ts";

/** The text for each plural category that the language has; without its own it is `other`. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Chooses the form of a count by the rules of a language: `plural(count, { one: "1 item", other: … })`. */
export function pluralIn(locale: string): (count: number, forms: PluralForms) => string {
  let rules: Intl.PluralRules | undefined;
  return (count, forms) => forms[(rules ??= new Intl.PluralRules(locale)).select(count)] ?? forms.other;
}

/** Formats calendar dates as a language does, whatever the zone of the device. */
export function dateIn(locale: string, options: Intl.DateTimeFormatOptions): (date: CalendarDate) => string {
  let dates: Intl.DateTimeFormat | undefined;
  return (date) => (dates ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" })).format(new Date(date));
}
