import { expect, test } from "vitest";

import { chooseSurvey, isSurveyResponse } from "./survey.ts";
import { addMs, Day } from "./time.ts";

const now = new Date("2026-11-23T12:00:00Z");
const before = (type: string, days: number) => ({ type, at: addMs(now, -days * Day.ms) });
const choose = (shown: ReturnType<typeof before>[], part: object = {}) =>
  chooseSurvey({ shown, isFirstOrder: true, hasHandle: true, hasSubscriptions: false, now, ...part });

test("the first order asks for the source, then the others take turns", { tags: ["spec:4-38"] }, () => {
  expect(choose([])).toBe("MarketingSource");
  expect(choose([before("MarketingSource", 30)])).toBe("CSAT");
  // A customer of many orders, of whom it was never requested: what they think of the market now.
  expect(choose([], { isFirstOrder: false })).toBe("CSAT");
  expect(choose([before("MarketingSource", 30), before("CSAT", 20)])).toBe("NPS");
  expect(choose([before("MarketingSource", 30), before("CSAT", 20), before("NPS", 15)])).toBe("Share");
  expect(choose([before("MarketingSource", 30), before("NPS", 15), before("Share", 10)])).toBe("Subscribe");
  expect(choose([before("MarketingSource", 30), before("NPS", 15), before("Subscribe", 10)])).toBe("CSAT");
});

test("what does not fit is passed over", () => {
  const answered = [before("MarketingSource", 300), before("NPS", 89), before("CSAT", 80)];
  expect(choose(answered)).toBe("Share");
  expect(choose(answered, { hasHandle: false })).toBe("Subscribe");
  expect(choose(answered, { hasHandle: false, hasSubscriptions: true })).toBe("CSAT");
  expect(choose([before("MarketingSource", 300), before("NPS", 90), before("CSAT", 80)])).toBe("NPS");
  // 90 days count from the last one, not from the first.
  const twice = [before("MarketingSource", 300), before("NPS", 200), before("NPS", 89), before("CSAT", 80)];
  expect(choose(twice)).toBe("Share");
});

test("a response is on its scale or in words", { tags: ["spec:5-42", "fail:I15"] }, () => {
  expect([0, 1, 5, 6, 2.5, "5"].map((response) => isSurveyResponse("CSAT", response))).toEqual([
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([-1, 0, 10, 11].map((response) => isSurveyResponse("NPS", response))).toEqual([false, true, true, false]);
  expect(["Online search", " ", 3].map((response) => isSurveyResponse("MarketingSource", response))).toEqual([
    true,
    false,
    false,
  ]);
});
