import { FROM_A_VENDOR, isSurveyResponse, MARKETING_SOURCES, OTHER_SOURCE } from "@marketday/domain/survey";
import { expect, test } from "vitest";

import { sourceAnswer } from "./answer.ts";

const none = { option: null, vendorId: null, words: "" };

test(
  "a source must be chosen, a farmer needs a name, Other takes any words",
  { tags: ["spec:5-44", "spec:5-45", "spec:5-46"] },
  () => {
    expect(sourceAnswer(none)).toBe("Choose one of the answers.");
    expect(sourceAnswer({ ...none, option: FROM_A_VENDOR })).toBe("Choose the farmer or vendor.");
    expect(sourceAnswer({ ...none, option: FROM_A_VENDOR, vendorId: 4 })).toEqual({
      response: FROM_A_VENDOR,
      vendorId: 4,
    });
    expect(sourceAnswer({ ...none, option: OTHER_SOURCE, words: "  A bus stop " })).toEqual({ response: "A bus stop" });
    expect(sourceAnswer({ ...none, option: "News story", vendorId: 4, words: "x" })).toEqual({
      response: "News story",
    });
  },
);

test("every option is an answer the server takes", () => {
  for (const option of MARKETING_SOURCES) {
    const answer = sourceAnswer({ option, vendorId: 1, words: "" });
    expect(typeof answer === "object" && isSurveyResponse("MarketingSource", answer.response)).toBe(true);
  }
});
