/** Spans of time have names, so that no number of milliseconds stands alone. Elapsed time, never wall time. */

export const Second = { ms: 1000 } as const;
export const Minute = { ms: 60 * Second.ms } as const;
export const Hour = { ms: 60 * Minute.ms } as const;
export const Day = { ms: 24 * Hour.ms } as const;
export const Week = { ms: 7 * Day.ms } as const;

/** The instant `ms` elapsed milliseconds later, or earlier when negative. */
export function addMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

/** Elapsed milliseconds from one instant to another; negative when `to` comes first. */
export function msBetween(from: Date, to: Date): number {
  return to.getTime() - from.getTime();
}

/** Whether `a` comes before `b`; the exact negation of `atOrAfter`. */
export function isBefore(a: Date, b: Date): boolean {
  return a.getTime() < b.getTime();
}

/** Whether `a` is `b` or comes after it. */
export function atOrAfter(a: Date, b: Date): boolean {
  return !isBefore(a, b);
}
