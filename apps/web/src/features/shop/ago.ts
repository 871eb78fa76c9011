const minute = 60_000;
const steps = [
  { unit: "minute", ms: minute, below: 60 * minute },
  { unit: "hour", ms: 60 * minute, below: 24 * 60 * minute },
  { unit: "day", ms: 24 * 60 * minute, below: 7 * 24 * 60 * minute },
] as const;

/** "2 hours ago"; older than a week the date, "Nov 3", with the year when it is another one. */
export function ago(instant: string, now: Date): string {
  const then = new Date(instant);
  const passed = Math.max(0, now.getTime() - then.getTime());
  if (passed < minute) return "just now";
  for (const { unit, ms, below } of steps) {
    if (passed >= below) continue;
    const count = Math.floor(passed / ms);
    return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return then.toLocaleDateString("en-US", { month: "short", day: "numeric", ...year });
}
