import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplate, type MailTemplates } from "../mail/template.ts";

/** The link to choose a new password. */
const passwordReset = (token: string): MailContent => ({
  subject: "Choose a new password",
  heading: "Choose a new password",
  parts: [
    "We received a request to reset your password. This link works once, within the next hour.",
    "If you didn't ask for this, ignore this email. Your password stays the same.",
  ],
  link: { label: "Choose a new password", path: `/password-reset/${token}` },
});

/** A notice to the account's address, in case the owner did not change the password. */
const passwordChanged = (): MailContent => ({
  subject: "Your password was changed",
  heading: "Your password was changed",
  parts: [
    "The password of your account has just been changed, and every other browser was logged out.",
    "If this wasn't you, choose a new password with “Forgot Password” right away, and email us.",
  ],
  link: { label: "Go to the market", path: "/login" },
});

/** A notice to the previous address, with the link to undo the change. */
const emailChanged = (token: string): MailContent => ({
  subject: "Your email was changed",
  heading: "Your email was changed",
  parts: [
    "Your account now uses a different email address. From now on, emails about it go there.",
    "If this wasn't you, change it back within 7 days. Everyone who is signed in is signed out then, and we email you a link for a new password.",
  ],
  link: { label: "Change it back", path: `/account/email/${token}` },
});

/** The link to the customer's data (docs/product.md §3). */
const dataExport = (token: string, market: string): MailContent => ({
  subject: "Your data is ready",
  heading: "Your data is ready",
  parts: [
    `Here is everything ${market} keeps about you, as one file. The link works once, for a day; anyone with the link can read the file, so don't share it.`,
    "If you did not ask for it, please change your password.",
  ],
  link: { label: "Download my data", path: `/account/data/${token}` },
});

const Deleted = z.object({ hadPass: z.boolean().catch(false) });

/** The confirmation of a deleted account, which ends its wagon pass too. */
const accountDeleted = ({ hadPass }: z.infer<typeof Deleted>, market: string): MailContent => ({
  subject: "Your account was deleted",
  heading: "Your account was deleted",
  parts: [
    `Your account at ${market} is gone, as you requested. Your orders are kept for our books, without your name and address.`,
    ...(hadPass ? ["Your wagon pass ended with it today. It won't renew, and you won't be charged for it again."] : []),
    "Thanks for shopping with us. You're welcome back anytime.",
  ],
});

const Data = z.object({ token: z.string().catch("") });

/** A mail about an account: its data is at most `{ token }`. */
const ofAccount = (about: string, render: (token: string, market: string) => MailContent): MailTemplate =>
  fromData(about, Data, ({ token }, market) => render(token, market), { token: "kQ2v…" });

/** Mails about accounts and passwords. */
export const accountMails: MailTemplates = {
  "password-reset": ofAccount("A customer requested a new password", passwordReset),
  "password-changed": ofAccount("The password was changed or reset", passwordChanged),
  "email-changed": ofAccount("The account has a new address: to the previous one", emailChanged),
  "data-export": ofAccount("A customer requested their data", dataExport),
  "account-deleted": fromData("A customer deleted the account", Deleted, accountDeleted, { hadPass: true }),
};
