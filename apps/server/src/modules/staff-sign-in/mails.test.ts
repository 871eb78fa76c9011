import { expect, test } from "vitest";

import { staffSignInMails } from "./mails.ts";

test("staff mails: the mail about a new API key names its end with the time and the zone", () => {
  const mail = staffSignInMails["staff-api-key-created"]?.sample("Marketday");
  expect(mail?.parts[0]).toContain("Until November 23, 2027 at 6:00 PM UTC, a program");
});
