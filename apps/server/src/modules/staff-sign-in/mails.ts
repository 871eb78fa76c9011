import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";

const Person = z.object({ email: z.string() });
type Person = z.infer<typeof Person>;

/** Ten refused sign-ins of a person within an hour. */
const signInFailures = ({ email }: Person, market: string): MailContent => ({
  subject: `Failed sign-ins to the back office of ${market}`,
  heading: "Someone may be guessing a sign-in",
  parts: [
    `In the last hour, at least ten sign-ins as ${email} were refused.`,
    "Ask them whether that was them. If not, there is nothing they need to change as long as their passkeys, password and recovery codes are theirs alone. If in doubt, reset their sign-in.",
  ],
  link: { label: "Go to staff", path: "/admin/staff" },
});

/** A passkey whose counter went back. */
const passkeyCopied = ({ email }: Person, market: string): MailContent => ({
  subject: `A passkey of ${email} may have been copied`,
  heading: "A passkey may have been copied",
  parts: [
    `A sign-in as ${email} at ${market} was refused: their passkey counted backwards, which happens when a second copy of it exists.`,
    "Talk to them, and reset their sign-in: their passkeys are deleted, they are signed out everywhere, and they get a link to set up a new one.",
  ],
  link: { label: "Go to staff", path: "/admin/staff" },
});

/** A recovery code signed in. */
const recoveryCodeUsed = ({ email }: Person, market: string): MailContent => ({
  subject: `A recovery code signed in to the back office of ${market}`,
  heading: "You signed in with a recovery code",
  parts: [
    `Someone just signed in as ${email} with one of your recovery codes. It won't work again.`,
    "If this wasn't you, sign in now, end the other sessions and make new recovery codes. If you can't, ask an owner of the market to reset your sign-in.",
  ],
  link: { label: "Go to security", path: "/admin/security" },
});

const Added = Person.extend({ name: z.string() });

/** A passkey was added. */
const passkeyAdded = ({ email, name }: z.infer<typeof Added>, market: string): MailContent => ({
  subject: `A passkey was added to your sign-in at ${market}`,
  heading: "A passkey was added",
  parts: [
    `The passkey “${name}” can now sign in as ${email}.`,
    "If this wasn't you, remove it, end the other sessions and tell an owner of the market.",
  ],
  link: { label: "Go to security", path: "/admin/security" },
});

/** A passkey was removed. */
const passkeyRemoved = ({ email, name }: z.infer<typeof Added>, market: string): MailContent => ({
  subject: `A passkey was removed from your sign-in at ${market}`,
  heading: "A passkey was removed",
  parts: [
    `The passkey “${name}” no longer signs in as ${email}, and your other browsers were signed out.`,
    "If this wasn't you, ask an owner of the market to reset your sign-in.",
  ],
  link: { label: "Go to security", path: "/admin/security" },
});

/** Recovery codes were replaced. */
const recoveryCodesRenewed = ({ email }: Person, market: string): MailContent => ({
  subject: `New recovery codes for your sign-in at ${market}`,
  heading: "Your recovery codes were replaced",
  parts: [
    `Someone signed in as ${email} made ten new recovery codes. The old ones no longer work.`,
    "If this wasn't you, ask an owner of the market to reset your sign-in.",
  ],
  link: { label: "Go to security", path: "/admin/security" },
});

const KeyCreated = Added.extend({ expiresAt: z.string() });

/** "November 23, 2027 at 6:00 PM UTC": no time zone is stored for the staff. */
const formatInstant = (instant: string): string => `${LONG_INSTANT.format(new Date(instant))} UTC`;
const LONG_INSTANT = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** An API key was created. */
const apiKeyCreated = ({ email, name, expiresAt }: z.infer<typeof KeyCreated>, market: string): MailContent => ({
  subject: `An API key was created for your account at ${market}`,
  heading: "An API key was created",
  parts: [
    `Until ${formatInstant(expiresAt)}, a program that has the API key “${name}” can act as ${email}, as far as the key allows.`,
    "If this wasn't you, revoke it, end the other sessions and tell an owner of the market.",
  ],
  link: { label: "Go to security", path: "/admin/security" },
});

const sample = { email: "ada@example.com" };

/** Mails about the staff's sign-in. */
export const staffSignInMails: MailTemplates = {
  "staff-sign-in-failures": fromData(
    "Ten refused sign-ins of a person in an hour: to the owners",
    Person,
    signInFailures,
    sample,
  ),
  "staff-passkey-copied": fromData("A passkey's counter went back: to the owners", Person, passkeyCopied, sample),
  "staff-recovery-code-used": fromData("A recovery code signed in: to its person", Person, recoveryCodeUsed, sample),
  "staff-passkey-added": fromData("A passkey was added: to its person", Added, passkeyAdded, {
    ...sample,
    name: "MacBook",
  }),
  "staff-passkey-removed": fromData("A passkey was removed: to its person", Added, passkeyRemoved, {
    ...sample,
    name: "MacBook",
  }),
  "staff-api-key-created": fromData("An API key was created: to its person", KeyCreated, apiKeyCreated, {
    ...sample,
    name: "Nightly export",
    expiresAt: "2027-11-23T18:00:00.000Z",
  }),
  "staff-recovery-codes-renewed": fromData(
    "Recovery codes were replaced: to their person",
    Person,
    recoveryCodesRenewed,
    sample,
  ),
};
