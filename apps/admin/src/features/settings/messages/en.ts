import { pluralIn } from "@marketday/domain/message-format";

// Settings of the machine, in English.

const plural = pluralIn("en");
const grouped = (count: number) => count.toLocaleString("en-US");

export const title = "Settings";
export const views = "Views of the settings";
export const viewNames = { health: "Health", mails: "Emails", environment: "Environment" } as const;

// Health

export const checks = "Checks";
export const checksNote = "Stock, orders and money add up. The server checks every hour.";
export const checkNow = "Check now";
export const checking = "Checking…";
export const notChecked = "The checks haven’t run yet";
export const allPassed = "All checks passed";
export const someFailed = (count: number) =>
  plural(count, { one: "1 check failed", other: `${grouped(count)} checks failed` });
export const checkedAgo = (ago: string) => `Checked ${ago}.`;
export const whatToDo = "Check now for what to do about each.";
export const andMore = (count: number) => `and ${grouped(count)} more`;
export const nothingFound = "Everything adds up.";
export const checksTakeLonger = "The checks take longer than usual. The result is here when they are done.";
/** Names of kinds of findings. Checks have a short code, V1 and so on. */
export const findingNames: Readonly<Record<string, string>> = {
  dispute: "Disputes to answer",
  "dispute under review": "Disputes under review",
  email: "Unclean email addresses",
  failed: "Failed work",
  "not compared": "Not compared with the payment provider",
  opening: "Before the market can open",
  provider: "Payment provider",
  refund: "Refunds that did not go back",
  settings: "Settings",
  size: "Products without a size",
  unpaid: "Orders that could not be charged",
};

export const work = "Failed work";
export const workNote = "It is tried again automatically, after growing pauses.";
export const workCount = (count: number) => grouped(count);
export const noWork = "No work has failed";
export const noWorkNote = "Emails, charges and steps of the week that failed and are tried again.";
export const retryAll = "Try all now";
export const retry = "Try now";
export const retryOf = (job: string, subject: string) => `Try now: ${job}, ${subject}`;
export const retrying = "Trying…";
export const retried = (count: number) =>
  plural(count, { one: "It is tried now", other: `${grouped(count)} are tried now` });
export const noneLeft = "It has succeeded meanwhile, or has no next try.";
export const noReason = "No reason was given";
/** "Tried 3 times, first 2 hours ago." */
export const triedSince = (tries: number, since: string) =>
  plural(tries, { one: `Tried once, ${since}.`, other: `Tried ${grouped(tries)} times, first ${since}.` });
export const againAt = (tried: string, at: Date) =>
  `${tried} Again at ${at.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" })}.`;
export const againNow = (tried: string) => `${tried} Again at any moment.`;
export const againSoon = (tried: string) => `${tried} Again within five minutes.`;
export const notAgain = "It is not tried again.";
/** What others try again, by job. */
export const notOurs: Readonly<Record<string, string>> = {
  "orphaned-charges": "It is looked up again automatically.",
  payments: "It ends with the next card payment that succeeds.",
  webhook: "The payment provider sends it again.",
};
export const shownOf = (shown: number, total: number) => `The oldest ${grouped(shown)} of ${grouped(total)} are shown.`;
/** Names of jobs. Others are shown as they are stored. */
export const jobs: Readonly<Record<string, string>> = {
  "auto-checkout": "Automatic order",
  "auto-checkout-runs": "Automatic orders",
  "bulk-actions": "Action on many orders",
  checkouts: "Checkout",
  "clean-up": "Clean-up",
  closings: "Cutoff",
  "delete-provider-customers": "Deletion at the payment provider",
  deliveries: "Delivery days",
  holds: "Renewal of a hold",
  identify: "Email marketing",
  mail: "Email",
  "missed-auto-checkouts": "Missed automatic orders",
  "moved-money": "Refunds and disputes",
  openings: "Opening of a delivery day",
  "orphaned-charges": "Charge without an order",
  payments: "Card payments",
  purchases: "Purchase",
  refunds: "Refund",
  reminders: "Reminders",
  "settle-shorts": "Shortage",
  "short-limits": "Limits of a shortage",
  "staff-actions": "Action of the staff",
  voids: "Release of a hold",
  "wagon-passes": "Wagon pass",
  "watched-items": "Back in stock",
  webhook: "Message of the payment provider",
};

export const backups = "Backups";
export const backupsNote = (folder: string) => `In ${folder}, newest first.`;
export const makeBackup = "On the server, by hand or every night:";
export const noBackup = "No backup has been made";
export const noBackupNote = "If the disk fails, everything is lost. Make the first one now.";
export const lastBackup = (ago: string) => `The last backup is from ${ago}.`;
export const elsewhere = (folder: string) => `It was put in ${folder}, which this server can’t see.`;
export const failedBackups = "The backups could not be loaded.";
export const loadingBackups = "the backups";
export const taken = "Taken";
export const backupName = "Folder";
export const size = "Size";
export const state = "State";
export const complete = "Complete";
export const damaged = "Not complete";
export const damagedNote = "What is not complete can’t be restored: look at it, then delete it.";
export const notKnown = "Not known";
export const megabytes = (bytes: number) =>
  bytes < 1_048_576 ? "under 1 MB" : `${Math.round(bytes / 1_048_576).toLocaleString("en-US")} MB`;

export const versions = "Versions";
export const versionNames = {
  marketday: "Marketday",
  node: "Node.js",
  postgres: "Postgres",
  migration: "Last migration",
} as const;

export const loadingHealth = "the health of the market";
export const failedHealth = "The health of the market could not be loaded.";

// Emails

export const mails = "Emails";
export const mailsNote = (from: string) => `Every email that the market sends, from ${from}.`;
export const notSent = "SMTP_URL is not set: emails are files on the server, and are not sent.";
export const toEnvironment = "See the environment";
export const noMails = "The market sends no email";
export const subject = "Subject";
export const occasion = "When";
export const canBeStopped = "Can be stopped";
export const canBeStoppedNote = "Only to shoppers who want reminders. Each has a link to stop them.";
export const always = "Always";
export const kind = "Sent";
export const failedMails = "The emails could not be loaded.";
export const failedMail = "The email could not be loaded.";
export const goneMail = "The market sends no such email.";
export const loadingMail = "the email";
export const asItLooks = "As it looks";
export const asText = "As text";
export const looks = "How it is shown";
export const previewOf = (about: string) => `Preview: ${about}`;
export const madeUp = "Names, items and amounts are made up.";
export const sendTest = "Send me a test";
export const sendingTest = "Sending…";
export const testGoesTo = (email: string) => `To ${email}, sent the same way as every other email.`;
export const testFiled = "The test is a file on the server";
export const testSent = (email: string) => `On its way to ${email}`;

// Environment

export const environmentNote =
  "Read from .env when the server starts; a variable of the environment or of Docker wins over the file. To change a value, change it there and start the server again.";
export const loadingEnvironment = "the environment";
export const failedEnvironment = "The environment could not be loaded.";
export const unknownNames = "Not settings of Marketday";
export const notSet = "Not set";
export const secretSet = "Set, and not shown";
export const isDefault = "Default";
