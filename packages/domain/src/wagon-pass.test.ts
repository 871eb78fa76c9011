import { expect, test } from "vitest";

import { calendarDate } from "./calendar-date.ts";
import { addMs, Day } from "./time.ts";
import { chargeDay, isBankAwaited, renewalDay, retryAt, wagonPassPrice } from "./wagon-pass.ts";

test("costs what the FAQ says", { tags: ["spec:1-03"] }, () => {
  expect([wagonPassPrice("monthly"), wagonPassPrice("yearly")]).toEqual([1395, 13_995]);
});

test("renews on the same day, clamped to shorter months, without drifting", { tags: ["fail:K10"] }, () => {
  const from = calendarDate("2027-01-31");
  expect([1, 2, 3, 12, 13].map((periods) => renewalDay(from, "monthly", periods))).toEqual([
    "2027-02-28",
    "2027-03-31",
    "2027-04-30",
    "2028-01-31",
    "2028-02-29",
  ]);
  expect([1, 2, 4].map((periods) => renewalDay(calendarDate("2028-02-29"), "yearly", periods))).toEqual([
    "2029-02-28",
    "2030-02-28",
    "2032-02-29",
  ]);
});

test(
  "a declined renewal is tried again one, three and six days after its day, and then no more",
  { tags: ["fail:K10"] },
  () => {
    const renewal = new Date("2027-01-31T12:00:00Z");
    const tries: Date[] = [];
    let at: Date | null = renewal;
    for (let declined = 1; at; declined += 1) {
      at = retryAt(declined, at);
      if (at) tries.push(at);
    }
    expect(tries).toEqual([1, 3, 6].map((days) => addMs(renewal, days * Day.ms)));
  },
);

test("a renewal is charged on its day, or 15 days (monthly: 7) after a reminder that is late", () => {
  const day = calendarDate("2027-11-23");
  const charged = (plan: "monthly" | "yearly", remindedOn: string) => chargeDay(plan, day, calendarDate(remindedOn));
  expect([
    charged("yearly", "2027-10-24"),
    charged("yearly", "2027-11-08"),
    charged("yearly", "2027-11-09"),
    charged("yearly", "2027-12-24"),
    charged("monthly", "2027-11-16"),
    charged("monthly", "2027-11-17"),
  ]).toEqual(["2027-11-23", "2027-11-23", "2027-11-24", "2028-01-08", "2027-11-23", "2027-11-24"]);
});

test("a bank that does not answer is waited for until 14 days after the first try", () => {
  const isAwaited = (today: string) => isBankAwaited(calendarDate("2027-11-23"), calendarDate(today));
  expect(["2027-11-23", "2027-12-07", "2027-12-08"].map(isAwaited)).toEqual([true, true, false]);
});
