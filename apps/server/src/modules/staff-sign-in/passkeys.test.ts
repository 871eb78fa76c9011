import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { auditOf, personWithPasskey, signInByPasskey } from "../../../test/staff-sign-in.ts";

const market = await buildTestApp();

test("staff: an invited person sets up a passkey, signs out and signs in again with it", async () => {
  const { person, browser, passkey, me, recoveryCodes } = await personWithPasskey(market, "manager");
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(me).toMatchObject({ name: "Ada Lovelace", email: person.email, passkeys: 1, recoveryCodesLeft: 10 });
  expect((await browser.get("/admin/session")).body.me).toMatchObject({ email: person.email });
  expect((await browser.delete("/admin/session")).status).toBe(200);
  expect((await browser.get("/admin/session")).body.me).toBeNull();
  expect(await signInByPasskey(browser, passkey)).toMatchObject({ status: 200, body: { email: person.email } });
  expect((await auditOf(market, person)).map(({ action }) => action)).toEqual([
    "staff sign-in",
    "staff set-up",
    "staff sign-out",
    "staff sign-in",
  ]);
});
