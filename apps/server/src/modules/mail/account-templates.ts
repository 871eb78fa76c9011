import type { MailContent } from "./layout.ts";

/** What a forgotten password is answered with: the link, once, within the hour. */
export const passwordReset = (token: string): MailContent => ({
  subject: "Choose a new password",
  heading: "Choose a new password",
  parts: [
    "We received a request to reset your password. This link works once, within the next hour.",
    "If you didn't ask for this, ignore this email. Your password stays the same.",
  ],
  link: { label: "Choose a new password", path: `/password-reset/${token}` },
});

/** To whoever has the account, in case it was not them. */
export const passwordChanged = (): MailContent => ({
  subject: "Your password was changed",
  heading: "Your password was changed",
  parts: [
    "The password of your account has just been changed, and every other browser was logged out.",
    "If this wasn't you, choose a new password with “Forgot Password” right away, and email us.",
  ],
  link: { label: "Go to the market", path: "/login" },
});

/** To the address the account had before. */
export const emailChanged = (token: string): MailContent => ({
  subject: "Your email was changed",
  heading: "Your email was changed",
  parts: [
    "Your account now uses a different email address. From now on, emails about it go there.",
    "If this wasn't you, change it back within 7 days. Everyone who is signed in is signed out then, and we email you a link for a new password.",
  ],
  link: { label: "Change it back", path: `/account/email/${token}` },
});

/** The link to one's data (docs/product.md §3). */
export const dataExport = (token: string, market: string): MailContent => ({
  subject: "Your data is ready",
  heading: "Your data is ready",
  parts: [
    `Here is everything ${market} keeps about you, as one file. The link works once, for a day; whoever has it can read the file, so do not pass it on.`,
    "If you did not ask for it, please change your password.",
  ],
  link: { label: "Download my data", path: `/account/data/${token}` },
});

/** The last mail an address gets. */
export const accountDeleted = (_token: string, market: string): MailContent => ({
  subject: "Your account was deleted",
  heading: "Your account was deleted",
  parts: [
    `Your account at ${market} is gone, as you asked. Your orders are kept for our books, without your name and address.`,
    "Thanks for shopping with us. You're welcome back anytime.",
  ],
});
