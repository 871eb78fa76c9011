import { addDays, calendarDate } from "@marketday/domain/calendar-date";
import { expect, test, vi } from "vitest";

import { propsOf, run, setUpHooks } from "../../../test/open-hook.tsx";
import PauseForm from "./pause-form.tsx";

const page = setUpHooks();
const today = calendarDate("2026-11-23");

test.each([
  ["as suggested, four weeks", null, true],
  ["today", today, false],
  ["tomorrow", addDays(today, 1), true],
  ["the last day of a year", addDays(today, 366), true],
  ["a day later than that", addDays(today, 367), false],
  ["no day", "", false],
])("pause: until %s, taken or refused with the reason", async (_, day, isTaken) => {
  const onPause = vi.fn();
  const form = page.open(() => PauseForm({ name: "Eggs", today, onPause }));
  if (day !== null)
    await run(() => propsOf(form.now(), ({ type }) => type === "date").onChange({ target: { value: day } }));
  await run(() => propsOf(form.now(), (_props, type) => type === "form").onSubmit({ preventDefault: vi.fn() }));
  expect(onPause.mock.calls).toEqual(isTaken ? [[day ?? addDays(today, 28)]] : []);
  expect(propsOf(form.now(), ({ label }) => label === "Pause Eggs until").error).toBe(
    isTaken ? null : "Choose a day after today, within a year.",
  );
});
