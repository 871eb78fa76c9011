import { transaction } from "@marketday/db";
import { generateSync } from "otplib";

import { asStaffId } from "../src/modules/identity/context.ts";
import { createLink, type LinkPurpose } from "../src/modules/staff/link-store.ts";
import type { TestMarket } from "./app.ts";
import { TestPasskey } from "./passkey.ts";
import type { Shopper } from "./shopper.ts";
import { createStaff } from "./staff.ts";

type Grants = Parameters<typeof createStaff> extends [TestMarket, ...infer G] ? G : never;

/** The token of a new link of a person. */
export const linkOf = ({ db, clock }: TestMarket, staffId: number, purpose: LinkPurpose = "invite"): Promise<string> =>
  transaction(db, (tx) => createLink(tx, { staffId: asStaffId(staffId), purpose, now: clock.now() }));

/** Sets up a passkey with the link of an invitation, which signs the browser in. */
export async function acceptByPasskey(browser: Shopper, token: string, passkey = new TestPasskey()) {
  const options = await browser.post(`/admin/invites/${token}/passkey/options`, { name: "Ada Lovelace" });
  if (options.status !== 200) return options;
  return browser.post(`/admin/invites/${token}/passkey`, {
    name: "Ada Lovelace",
    passkeyName: "MacBook",
    passkey: passkey.create(options.body),
  });
}

/** A new person with these roles whose browser is signed in by a passkey. */
export async function personWithPasskey(market: TestMarket, ...grants: Grants) {
  const person = await createStaff(market, ...grants);
  const browser = market.shopper();
  const passkey = new TestPasskey();
  const { status, body } = await acceptByPasskey(browser, await linkOf(market, person.id), passkey);
  if (status !== 200) throw new Error(`the invitation was not accepted: ${JSON.stringify(body)}`);
  return { person, browser, passkey, me: body.me, recoveryCodes: body.recoveryCodes as string[] };
}

const PASSWORD = "correct horse battery staple";

/** A new person with these roles whose browser is signed in by a password and an authenticator app. */
export async function personWithPassword(market: TestMarket, ...grants: Grants) {
  const person = await createStaff(market, ...grants);
  const browser = market.shopper();
  const token = await linkOf(market, person.id);
  const { body: options } = await browser.post(`/admin/invites/${token}/password/options`);
  /** The app's code at an instant, `steps` codes later or earlier. */
  const code = (steps = 0) =>
    generateSync({ secret: options.secret, epoch: Math.floor(market.clock.now().getTime() / 1000) + 30 * steps });
  const { status, body } = await browser.post(`/admin/invites/${token}/password`, {
    name: "Ada Lovelace",
    password: PASSWORD,
    secret: options.secret,
    code: code(),
  });
  if (status !== 200) throw new Error(`the invitation was not accepted: ${JSON.stringify(body)}`);
  return { person, browser, password: PASSWORD, code, options, recoveryCodes: body.recoveryCodes as string[] };
}

/** Signs a browser in by a passkey; returns the response. */
export async function signInByPasskey(
  browser: Shopper,
  passkey: TestPasskey,
  changes?: Parameters<TestPasskey["get"]>[1],
) {
  const { body: options } = await browser.post("/admin/session/passkey/options");
  return browser.post("/admin/session/passkey", { proof: passkey.get(options, changes) });
}

/** The audit log's entries of a person, oldest first, after everything that no response waited for was done. */
export async function auditOf({ app, db }: TestMarket, { email }: { email: string }) {
  await app.settled();
  const rows = await db.audit_entry.findMany({ where: { subject: `staff:${email}` }, orderBy: { id: "asc" } });
  return rows.map(({ actor, action, reason, data }) => ({ actor, action, reason, data }));
}
