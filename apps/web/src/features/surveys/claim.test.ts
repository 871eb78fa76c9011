import { expect, test } from "vitest";

import { setUpHooks } from "../../../test/open-hook.tsx";
import { claimSurvey, forgetClaim } from "./claim.ts";

const page = setUpHooks();
const survey = { type: "CSAT", questionId: "csat" };
const [chosen, shown] = ["GET /orders/5/survey/", "POST /orders/5/survey/shown"];
const claim = (signal = new AbortController().signal) => claimSurvey(5, signal);

test("survey: one that this tab claims is kept for it until it was shown, and is not claimed twice", async () => {
  page.answer(chosen, { body: { ...survey, vendors: null } });
  page.answer(shown, { body: { show: true } });
  expect(await claim()).toEqual(survey);
  expect(page.sent).toMatchObject([{ call: chosen }, { call: shown, body: survey }]);
  expect(await claim()).toEqual(survey);
  expect(page.sent).toHaveLength(2);
  forgetClaim(5);
  await claim();
  expect(page.sent).toHaveLength(4);
});

test("survey: one that another tab shows is none here, now and later", async () => {
  page.answer(chosen, { body: survey });
  page.answer(shown, { body: { show: false } });
  expect(await claim()).toBeNull();
  page.answer(chosen, { body: { type: null, questionId: null } });
  expect(await claim()).toBeNull();
  expect(page.sent.map(({ call }) => call)).toEqual([chosen, shown, chosen]);
});

test("survey: one that was left before its code was here is claimed by no tab, and one of another order is not this one's", async () => {
  page.answer(chosen, { body: survey });
  page.answer(shown, { body: { show: true } });
  const leaving = new AbortController();
  const claimed = claim(leaving.signal);
  leaving.abort();
  expect(await claimed).toBeNull();
  expect(page.sent.map(({ call }) => call)).not.toContain(shown);
  await claim();
  page.answer("GET /orders/6/survey/", { body: { type: null, questionId: null } });
  expect(await claimSurvey(6, new AbortController().signal)).toBeNull();
});

test("survey: without a network there is none, and no error", async () => {
  expect(await claim()).toBeNull();
  page.answer(chosen, { body: survey });
  page.refuse(shown, 503, "Busy.");
  expect(await claim()).toBeNull();
});
