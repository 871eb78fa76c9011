import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

/** Six zones of hubs, with and without daylight time, in both hemispheres. */
const HUBS = [
  "America/Indiana/Indianapolis",
  "America/Chicago",
  "America/Phoenix",
  "America/Los_Angeles",
  "Pacific/Honolulu",
  "Australia/Sydney",
];

/** Every delivery day's instants of two years, calculated in a process whose own time zone is another. */
const instantsIn = (processZone: string): string =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { deliveryDayOf } = await import(${JSON.stringify(fileURLToPath(new URL("delivery.ts", import.meta.url)))});
       const { addDays, calendarDate } = await import(${JSON.stringify(fileURLToPath(new URL("calendar-date.ts", import.meta.url)))});
       for (const zone of ${JSON.stringify(HUBS)})
         for (let n = 0; n < 730; n += 1) {
           const { day, cutoff, autoCheckoutAt } = deliveryDayOf(addDays(calendarDate("2026-01-01"), n), zone);
           console.log(zone, day, cutoff.toISOString(), autoCheckoutAt.toISOString());
         }`,
    ],
    { env: { ...process.env, TZ: processZone, NODE_OPTIONS: "" }, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );

test(
  "the process's own time zone changes no instant of six zones, changes of clocks included",
  { tags: ["fail:C2", "fail:C3", "fail:C4"] },
  () => {
    const utc = instantsIn("UTC");
    expect(utc.trim().split("\n")).toHaveLength(6 * 730);
    expect(utc).toContain("America/Chicago 2026-11-02 2026-11-01T06:00:00.000Z 2026-10-30T18:00:00.000Z");
    expect(utc).toContain("America/Chicago 2027-03-16 2027-03-15T06:00:00.000Z 2027-03-13T18:00:00.000Z");
    for (const zone of ["America/Chicago", "Pacific/Apia", "Asia/Kolkata"]) expect(instantsIn(zone)).toBe(utc);
  },
);
