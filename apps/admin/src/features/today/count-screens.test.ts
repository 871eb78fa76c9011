import { expect, test } from "vitest";

import { findScreens } from "./count-screens.ts";

test("screens of the counts: what waits for an answer leads to the inbox", () => {
  expect(findScreens({ permissions: { "inbox.reply": [2] } }, [])).toEqual({
    problems_open: "/admin/inbox",
    questions_waiting: "/admin/inbox",
    messages_waiting: "/admin/inbox",
    applications_new: "/admin/inbox",
  });
});

test("screens of the counts: what the machine needs leads to the settings for those who may change them in every market", () => {
  expect(findScreens({ permissions: { "settings.write": "all" } }, [])).toEqual({
    checks_failed: "/admin/settings",
    mails_waiting: "/admin/settings",
    jobs_failed: "/admin/settings",
    backup_age: "/admin/settings",
  });
  expect(findScreens({ permissions: { "settings.write": [2] } }, [])).toEqual({});
});

test("screens of the counts: a person who may not answer gets none of the inbox", () => {
  expect(findScreens({ permissions: { "orders.read": "all", "inbox.reply": [] } }, [])).toEqual({});
});

test("screens of the counts: what is owed to vendors leads to the payouts for those who see the money of every market", () => {
  expect(findScreens({ permissions: { "money.read": "all" } }, [])).toEqual({ payouts_due: "/admin/payouts" });
  expect(findScreens({ permissions: { "money.read": [2] } }, [])).toEqual({});
});
