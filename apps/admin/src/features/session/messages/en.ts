import { type CalendarDate, dayOfMonth, weekdayOf } from "@marketday/domain/calendar-date";
import { dateIn, pluralIn } from "@marketday/domain/message-format";
import { RECOVERY_CODES, type Permission, type Role, STAFF_PASSWORD_MIN } from "@marketday/domain/staff";

// Signing in, invitations, confirming with a passkey and one's own security, in English.

const plural = pluralIn("en");
const listOf = (words: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(words);

// Time

const steps = [
  { unit: "minute", ms: 60_000, below: 60 },
  { unit: "hour", ms: 3_600_000, below: 24 },
  { unit: "day", ms: 86_400_000, below: 7 },
] as const;
const monthAndDay = dateIn("en-US", { month: "short", day: "numeric" });
const monthDayAndYear = dateIn("en-US", { month: "short", day: "numeric", year: "numeric" });
export const monthAndYear = dateIn("en-US", { month: "long", year: "numeric" });
const month = dateIn("en-US", { month: "long" });
/** "Nov 3", with the year when it is another than today's. */
export const day = (date: CalendarDate, today: CalendarDate) =>
  date.slice(0, 4) === today.slice(0, 4) ? monthAndDay(date) : monthDayAndYear(date);
/** "2 hours ago"; null for a week or more. */
export const ago = (passedMs: number): string | null => {
  if (passedMs < 60_000) return "just now";
  for (const { unit, ms, below } of steps) {
    const count = Math.floor(passedMs / ms);
    if (count < below) return plural(count, { one: `${count} ${unit} ago`, other: `${count} ${unit}s ago` });
  }
  return null;
};
export const weekday = (date: CalendarDate) => weekdayOf(date);
export const dayNumber = (date: CalendarDate) => String(dayOfMonth(date));

// Signing in

export const signInTitle = "Sign in";
export const backOffice = "Back office";
export const passkeyLead = "Use your fingerprint, face or security key. There is no password to remember or steal.";
export const otherWaysLead = "Passkeys work only over https, and this page came over plain http.";
export const passwordLead = "Enter your password and a code from your authenticator app.";
export const recoveryLead = "Enter one of the ten codes that you saved when you set up your account. Each works once.";
export const noPasskeysHere = "This browser doesn’t support passkeys, so sign in with a password and a code.";
export const knownSince = (date: CalendarDate, today: CalendarDate) => {
  if (date === today) return "on this device since today";
  if (date.slice(0, 7) === today.slice(0, 7)) return `on this device since ${monthAndDay(date)}`;
  return `on this device since ${date.slice(0, 4) === today.slice(0, 4) ? month(date) : monthAndYear(date)}`;
};
export const notYou = "Not you?";
export const signInByPasskey = "Sign in with a passkey";
export const signingIn = "Signing in…";
export const signIn = "Sign in";
export const otherWays = "Other ways to sign in";
export const byRecoveryCode = "Recovery code";
export const byPassword = "Password and code";
export const byPasskey = "Passkey";
export const lostPasskey = "Lost your passkey?";
export const lostTitle = "If your passkey is lost";
export const lostRecovery = "Have a recovery code? It signs you in once; then add a new passkey under Security.";
export const lostOwner =
  "Without one, an owner can send you a new link: Staff, your name, “Send a new link”. Your old passkeys stop working then.";
export const lostMachine = "If no owner can sign in, make a link on the server:";
export const lostCommand = (email: string) => `staff reset ${email}`;
export const emailPlaceholder = "EMAIL";
export const email = "Email";
export const password = "Password";
export const appCode = "Code from your app";
export const appCodeHint = "Six digits. They change every 30 seconds.";
export const recoveryCode = "Recovery code";
export const enterEmail = "Enter your email";
export const enterPassword = "Enter your password";
export const enterSixDigits = "Enter the six digits";
export const enterRecoveryCode = "Enter a recovery code";
export const staySignedIn =
  "You stay signed in until you’re away for 8 hours. Changing passkeys or who works here needs your passkey again.";
export const staySignedInPassword =
  "You stay signed in until you’re away for 8 hours. Changing security or who works here needs your password again.";

// What goes wrong with a passkey

export const passkeyThere = "This device already has a passkey for you. Use it, or choose another device.";
export const passkeyAddress =
  "Passkeys don’t work at this address. Open the back office at the address that the market’s emails link to.";
export const passkeyUnsupported =
  "This device can’t keep a passkey that checks your fingerprint, face or PIN. Try another device, or use a password and an app.";
export const passkeyFailed = "The passkey didn’t work. Try again, or sign in another way.";

// Invitations

export const inviteTitle = (name: string) => `Welcome, ${name}`;
export const resetTitle = (name: string) => `Set up your sign-in again, ${name}`;
export const inviteTab = "Your invitation";
export const inviteLead = (market: string) => `You were invited to the back office of ${market}.`;
export const resetLead = "Your old passkeys and codes no longer work. Choose how you’ll sign in from now on.";
export const yourRoles = "What you can do";
export const name = "Your name";
export const nameHint = "Others see it beside what you change.";
export const enterName = "Enter your name";
export const deviceName = "Name of this device";
export const deviceNameHint = "You’ll recognize the passkey by it.";
export const enterDeviceName = "Name this device";
export const createPasskey = "Create a passkey";
export const creatingPasskey = "Creating…";
export const passwordInstead = "Use a password and an app instead";
export const passkeyInstead = "Use a passkey instead";
export const passkeyCancelled = "No passkey was created. Your link still works.";
export const noPasskeysInvite =
  "This browser doesn’t support passkeys. You’ll sign in with a password and an authenticator app.";
export const httpInvite =
  "Passkeys work only over https, and this page came over plain http. You’ll sign in with a password and an authenticator app.";
export const newPassword = "New password";
export const newPasswordHint = `At least ${STAFF_PASSWORD_MIN} characters. A few words in a row are good.`;
export const passwordTooShort = `Use at least ${STAFF_PASSWORD_MIN} characters`;
export const scanTitle = "Scan this with your authenticator app";
export const scanAlt = "QR code with the key for your authenticator app";
export const typeSecret = "Or type this key into the app:";
export const secretLoading = "the key for your app";
export const setUp = "Finish";
export const settingUp = "Saving…";
export const deadTitle = "This link no longer works";
export const deadBody = "It was used already, is older than a day, or was copied incompletely.";
export const deadInvited = "Invited and not set up yet? Ask an owner of the market for a new link.";
export const deadMachine = "Setting up the market yourself? Make a new link on the server:";
export const deadCommand = "staff invite EMAIL --role owner";
export const deadSignIn = "Set up already? Sign in";
export const inviteFailed = "The invitation could not be loaded.";
export const inviteLoading = "your invitation";

// Recovery codes

export const codesTitle = "Save your recovery codes";
export const codesLead = (count: number) =>
  `If you lose your passkey, one of these ${count === RECOVERY_CODES ? "ten" : count} codes signs you in. Each works once. They are shown only now.`;
export const codesList = "Recovery codes";
export const copy = "Copy";
export const copied = "Copied";
export const copyFailed = "The browser didn’t allow copying. Download or print them.";
export const download = "Download";
export const print = "Print";
export const codesFile = (market: string) =>
  `${market.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-recovery-codes.txt`;
export const codesFileHead = (market: string, mail: string) =>
  `Recovery codes for the back office of ${market}, ${mail}`;
export const codesSaved = "I’ve saved them";
export const codesContinue = "Go to the back office";
export const codesDone = "Done";
export const codesNotSaved = "Check the box once you have copied, downloaded or printed them.";

// Confirming who is there

export const notNow = "Not now";
export const confirming = "Confirming…";
export const confirmNote = "Good for 5 minutes in this browser. It is recorded in the audit log.";
export const confirmWithPassword = "Use password and code";
export const confirmWithPasskey = "Use a passkey";
export const confirmImpossible =
  "You have no passkey and no password yet. Sign out, sign in with a recovery code, and add a passkey within 5 minutes.";
export const confirmLoading = "your ways to confirm";
export const confirmLoadFailed = "Your ways to confirm could not be loaded.";

// Security

export const securityTitle = "Security";
export const securityLead = (mail: string) => `How you sign in as ${mail}.`;
export const securityFailed = "Your passkeys and sessions could not be loaded.";
export const securityLoading = "your passkeys and sessions";
export const passkeys = "Passkeys";
export const synced = "In your account, on all your devices";
export const onDevice = "Only on this device or key";
/** "Added Nov 3 · last used 2 hours ago" */
export const passkeyFacts = (added: string, used: string | null) =>
  `Added ${added} · ${used === null ? "not used yet" : `last used ${used}`}`;
export const noPasskeys = "You have no passkey. Add one: it is quicker and safer than a password.";
export const noPasskeysHttp = "Passkeys work only over https. Open the back office over https to add one.";
export const onePasskey = "Add a second one, on your phone or a security key, for the day you lose the first.";
export const addPasskey = "Add a passkey";
export const addPasskeyEffect = "The person who holds the new passkey can sign in as you.";
export const addPasskeyCancelled = "No passkey was added.";
export const passkeyAdded = "Passkey added";
export const remove = "Remove";
export const removeOf = (passkey: string) => `Remove ${passkey}`;
export const removing = "Removing…";
export const removeTitle = (passkey: string) => `Remove the passkey “${passkey}”?`;
export const removeEffect =
  "It stops working at once, and your other browsers are signed out. Remove it from your device as well, so that it isn’t offered any more.";
export const removed = "Passkey removed";
export const recoveryCodes = "Recovery codes";
export const codesLeft = (count: number) =>
  plural(count, { one: `${count} code is left.`, other: `${count} codes are left.` });
export const noCodesLeft = "No code is left. Make new ones: without them a lost passkey locks you out.";
export const renewCodes = "Make new codes";
export const renewTitle = "Make ten new recovery codes?";
export const renewEffect = "The old codes stop working at once, also those that you printed.";
export const renewing = "Making…";
export const passwordAndApp = "Password and app";
export const hasPassword = "You can also sign in with a password and a code from your authenticator app.";
export const hasNoPassword = "You have no password. Only your passkeys and recovery codes sign you in.";
export const sessions = "Where you’re signed in";
export const thisBrowser = "This browser";
/** "Last used 2 hours ago · signed in Nov 3" */
export const sessionFacts = (used: string, since: string) => `Last used ${used} · signed in ${since}`;
export const endSession = "Sign out";
export const endSessionOf = (device: string) => `Sign out ${device}`;
export const ending = "Signing out…";
export const endOthers = "Sign out everywhere else";
export const othersEnded = "Every other browser was signed out";
export const sessionEnded = (device: string) => `${device} was signed out`;
export const cancel = "Cancel";

// Roles and permissions

export const roles: Readonly<Record<Role, string>> = {
  owner: "Owner",
  manager: "Manager",
  hub_lead: "Market lead",
  support: "Support",
  bookkeeper: "Bookkeeper",
  editor: "Editor",
  depot_lead: "Depot lead",
  auditor: "Auditor",
};

/** After "can": what a role is for. */
export const rolePurposes: Readonly<Record<Role, string>> = {
  owner: "do everything, from settings to deciding who works here",
  manager: "run everything except payouts, settings and staff",
  hub_lead: "run orders, products, vendors and delivery days",
  support: "answer shoppers and change, refund or cancel their orders",
  bookkeeper: "see the money, pay vendors and set their terms",
  editor: "write what the market publishes and moderate reviews",
  depot_lead: "run delivery days",
  auditor: "look at orders, money, reports and the audit log, and change nothing",
};

/** After "can". */
export const permissions: Readonly<Record<Permission, string>> = {
  "orders.read": "see orders",
  "people.read": "see shoppers with their phone and address",
  "orders.adjust": "change orders and record shorts",
  "orders.refund": "refund orders",
  "orders.cancel": "cancel orders",
  "credit.grant": "give credit",
  "catalogue.write": "change products, prices and stock",
  "vendors.write": "change vendors",
  "vendors.terms": "change vendors’ terms and commission",
  "hubs.write": "change places, areas and the calendar",
  "content.write": "write posts, pages and banners",
  "moderation.write": "hide reviews and questions",
  "inbox.reply": "answer messages",
  "money.read": "see payouts, refunds and credit",
  "payouts.write": "approve payouts",
  "reports.read": "read reports",
  "day.run": "run delivery days and print their sheets",
  "settings.write": "see settings and try failed work again",
  "staff.write": "invite staff and change their roles",
  "people.export": "export personal data",
  "people.delete": "delete shoppers",
  "audit.read": "read the audit log",
};

export const allMarkets = "all markets";
export const inMarkets = (markets: readonly string[]) => listOf(markets);
/** "Depot lead in Carmel and Fishers"; an owner is one of the whole market. */
export const roleIn = (role: string, where: string | null) => (where === null ? role : `${role} in ${where}`);
/** "You can run delivery days in Carmel." */
export const youCan = (purpose: string, where: string | null) =>
  where === null ? `You can ${purpose}.` : `You can ${purpose} in ${where}.`;
/** "Ada can run delivery days in Carmel." */
export const personCan = (person: string, purpose: string, where: string) => `${person} can ${purpose} in ${where}.`;
/** "Ada can read the audit log, own entries only." */
export const personCanEverywhere = (person: string, purpose: string) => `${person} can ${purpose}.`;
/** "Ada can’t approve payouts, see settings and try failed work again, or delete shoppers." */
export const personCannot = (person: string, purposes: readonly string[]) =>
  `${person} can’t ${new Intl.ListFormat("en", { type: "disjunction" }).format(purposes)}.`;
/** After "As Owner": how the action is confirmed. */
export const withProof = "confirmed with a passkey or password first";
export const withProofFrom = (amount: string) => `from ${amount} on, ${withProof}`;
/** "As Owner · confirmed with a passkey or password first" */
export const whyWithProof = (why: string, proof: string) => `${why} · ${proof}`;
export const abilityNew = "New";
/** "refund orders, up to $50.00 at a time," */
export const upTo = (purpose: string, amount: string) => `${purpose}, up to ${amount} at a time,`;
/** What a role reads of the audit log, after "can". */
export const auditEntries = {
  hubs: "read the audit log",
  today: "read today’s entries of the audit log",
  own: "read the audit log, own entries only",
} as const;
/** "As Support in Carmel": where it comes from. */
export const as = (roleTitles: readonly string[]) => `As ${listOf(roleTitles)}`;
export const youSubject = "You";
export const nothingYet = "You have no role yet.";
