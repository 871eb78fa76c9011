import { type CalendarDate, dateInZone, formatLong, formatShort, weekdayOf } from "@marketday/domain/calendar-date";
import { pluralIn } from "@marketday/domain/message-format";

import { formatOrderNumber } from "../../../lib/order-number.ts";

// The frame around every screen, in English.

const plural = pluralIn("en");

export const pageFailed =
  "Nothing that was saved is lost. Reload the page; if that doesn’t help, look at the server’s log.";
export const screenFailed = "This screen could not be shown.";
export const partFailed = "This part of the screen didn’t load.";
export const failedTitle = "Error";
export const tryAgain = "Try again";
export const loadingApp = "the back office";
export const loadingScreen = "the screen";
export const loadingPart = "this part of the screen";
export const loadingDays = "the delivery days";
export const sessionFailed = "The back office didn’t load.";
export const sessionFailedHint = "The server could not be reached. Check your connection.";

// Frame

export const backOffice = "Back office";
export const skip = "Skip to the content";
export const home = (market: string) => `${market}, to Today`;
export const today = "Today";
export const deliveryDays = "Delivery days";
export const thisWeek = "This week";
export const boxes = "Boxes";
export const shorts = "Shorts";
export const door = "Money at the door";
/** ", 3 to settle" */
export const shortsToSettle = (count: number) => `, ${count} to settle`;
/** ", 3 to settle, overdue" */
export const shortsOverdue = (count: number) => `${shortsToSettle(count)}, overdue`;
export const orders = "Orders";
export const market = "Market";
export const products = "Products";
export const people = "People";
export const customers = "Customers";
export const payouts = "Payouts";
export const inbox = "Inbox";
export const audit = "Audit log";
export const system = "System";
export const staff = "Staff";
export const settings = "Settings";
export const more = "More";
export const security = "Your security";
export const signOut = "Sign out";
export const shortcuts = "Keyboard shortcuts";
export const yourAccount = ", your account";
export const noDays = "No delivery day is open.";
export const daysFailed = "The delivery days didn’t load.";
/** "Carmel, Thursday, November 26" */
export const dayOf = (market: string, date: CalendarDate, now: CalendarDate) => `${market}, ${formatLong(date, now)}`;
/** ", Thursday, November 26" */
export const onDay = (date: CalendarDate, now: CalendarDate) => `, ${formatLong(date, now)}`;
/** "Thu, Nov 26" */
export const dayShort = formatShort;
export const manyRoles = (first: string, others: number) => `${first} and ${others} more`;

export const recentChanges = "Recent changes";

// Market filter

export const allMarkets = "All markets";
export const marketFilter = "Market: ";
export const marketsMenu = "Show one market";
export const marketCount = (count: number) => plural(count, { one: `${count} market`, other: `${count} markets` });
export const noMarket = "No market yet";
export const deliversOn = (weekday: string) => `delivers on ${weekday}`;
export const unknownMarket = (slug: string) =>
  `There is no market “${slug}” that you may see. These are all of your markets.`;
export const showAllMarkets = "Show all markets";

// Health

/** "2:15 PM" on the same day, else "Nov 26, 2:15 PM". */
export function time(instant: Date, zone: string, now: Date): string {
  const isToday = dateInZone(instant, zone) === dateInZone(now, zone);
  return instant.toLocaleString("en-US", {
    timeZone: zone,
    hour: "numeric",
    minute: "2-digit",
    ...(!isToday && { month: "short", day: "numeric" }),
  });
}
export const checksPassed = "All checks passed";
export const checksFailed = (count: number) =>
  plural(count, { one: `${count} check failed`, other: `${count} checks failed` });
export const checksNotRun = "Checks haven’t run yet";
export const noBackup = "no backup yet";
export const backupAge = (hours: number) =>
  hours < 1
    ? "backup under 1 h old"
    : hours < 48
      ? `backup ${hours} h old`
      : `backup ${Math.floor(hours / 24)} days old`;

// Live

export const live = "Live";
export const reconnecting = "Reconnecting";
export const offline = "Offline";
export const asOf = (time: string) => `As of ${time}.`;
export const noAnswer = "The server didn’t answer.";
export const youAreOffline = "You’re offline.";
export const serverAway = "The server can’t be reached. Trying again.";
export const updated = "The back office was updated.";
export const reload = "Reload";
export const saveFirst = "Save or clear what you typed first, then reload.";

// Session

export const sessionEnded = "Your session has ended. What you typed is kept.";
/** `what` comes after "to": "refund orders". */
export const missing = (sentence: string, what: string) => `${sentence} You need permission to ${what}.`;
export const askOwner = "An owner of the market can give you this permission. What you typed is kept.";
export const close = "Close";

// Not found

export const notFound = "There is nothing here";
export const notFoundHint = "The address is wrong, or what it led to is gone.";
export const toToday = "Go to Today";
export const noAccess = "Nothing here for your role yet";
export const noAccessHint = "An owner of the market decides what you may see.";

// Palette

export const search = "Search";
export const searchHint = "Go to a screen, day, order or tote";
export const palette = "Go to, or do";
export const results = "Results";
export const commandLine = "Command line:";
export const nothingFound = (text: string) => `Nothing is called “${text}”.`;
export const nothingFoundHint =
  "It finds screens, markets, delivery days, actions, people by name, phone or email, “tote 14”, “short eggs 9”, and orders by number.";
export const resultCount = (count: number) => plural(count, { one: `${count} result`, other: `${count} results` });
export const clearFilter = "Show all markets";
export const showMarket = (market: string) => `Show only ${market}`;
export const showKeys = "List the keyboard shortcuts of this screen";
export const turnKeysOff = "Turn single-key shortcuts off";
export const turnKeysOn = "Turn single-key shortcuts on";
export const light = "Use the light theme";
export const dark = "Use the dark theme";
export const likeDevice = "Use the device’s theme";
export const ordersDetail = "Every order, found by name, number, phone, day or product";
export const productsDetail = "Prices, stock and what is offered, changed as in a spreadsheet";
export const customersDetail = "Find a person: orders, store credit, subscriptions";
export const payoutsDetail = "What vendors are owed, paying them, the files for the bank";
export const inboxDetail = "Messages, questions, reviews and problems to answer";
export const auditDetail = "Who changed what, when and why";
export const settingsDetail = "Checks, failed work, backups";
export const settingsMails = "Emails of the market";
export const settingsMailsDetail = "What each looks like, and a test";
export const settingsEnvironment = "Environment";
export const settingsEnvironmentDetail = "What .env sets";
export const staffDetail = "Who works here, their roles, invitations";
export const securityDetail = "Your passkeys, recovery codes and sessions";
export const todayDetail = "Every delivery day and what comes next";
export const recentChangesDetail = "What people did in the last day, and its undo";
/** Words that find a command besides its title, separated by spaces. */
export const findToday = "home board overview start";
export const findOrders = "sales list search find recall export";
export const recall = "Recall";
export const recallDetail = "Everyone who got a product or vendor between two days";
export const findRecall = "recall product vendor who got safety";
export const foundOrder = (number: string, day: string, market: string, total: string) =>
  `Order ${number}, ${day}, ${market}, ${total}`;
export const findProducts = "offers prices stock refill sale vendors grid spreadsheet";
export const findCustomers = "people shoppers users accounts find phone email";
export const findPayouts = "money pay vendors farms owed paid statement bank reverse commission";
export const findInbox = "messages mail questions reviews moderation problems answer";
export const findAudit = "history log changes who undo";
export const findSettings = "doctor health stuck failed jobs retry backup version system";
export const findSettingsMails = "templates texts preview test mail email";
export const findSettingsEnvironment = "env variables smtp stripe config settings";
export const findStaff = "people team users roles permissions invite passkey";
export const findSecurity = "passkey password codes sessions account profile";
export const findBoxes = "orders totes customers boxes list";
export const findShorts = "shortage missing short came refund";
export const findDoor = "collect cash paid payments door money";
export const findSignOut = "log out logout leave";
export const findKeys = "keyboard shortcuts help";
export const findChanges = "undo history log back last actions";
export const findTheme = "color dark light night mode appearance";
export const findMarket = "market hub filter";
export const findDay = "day sheets delivery pick pack drivers vendors print";
/** "flora@example.com, (317) 555-0142, card 4242" */
export const personDetail = (facts: readonly string[]) => facts.filter(Boolean).join(", ");
export const openOrder = (id: number) => `Order ${formatOrderNumber(id)}`;
/** "Tote 14, Flora Evans"; without a name the number alone */
export const openTote = (number: number, name: string) => (name === "" ? `Tote ${number}` : `Tote ${number}, ${name}`);
/** "Short “eggs cluck” to 9" */
export const shortWords = (words: string, came: number | null) =>
  came === null ? `Short “${words}”` : `Short “${words}” to ${came}`;
/** "Short Pasture Eggs, Dozen to 9 of 12" */
export const shortItem = (title: string, came: number | null, ordered: number) =>
  came === null ? `Short ${title}` : `Short ${title} to ${came} of ${ordered}`;
/** "Cluck & Co., Carmel, Thursday, November 26" */
export const withPlace = (vendor: string, place: string) => `${vendor}, ${place}`;
/** What is to be done for a day, by `next.kind` of the board. */
export const nextActions: Readonly<Record<string, string>> = {
  run_late_step: "Run the late step",
  create_sheets: "Create sheets",
  settle_shorts: "Settle shorts",
  renew_sheets: "Renew the sheets",
  retry_charges: "Retry declined cards",
  collect_at_door: "Collect at the door",
  deliver: "Mark orders as delivered",
  pay_vendors: "Pay the vendors",
};
/** "Create sheets, Carmel, Thursday" */
export const actionOf = (action: string, market: string, date: CalendarDate) =>
  `${action}, ${market}, ${weekdayOf(date)}`;

// Keys

export const keysTitle = "Keyboard shortcuts";
export const keysHere = "On this screen";
export const keysEverywhere = "Everywhere";
export const keysOn = "Single keys work as shortcuts";
export const keysOnHint = "Kept in this browser. Without them, keys with Ctrl or ⌘ still work.";
export const keyThen = "then";
export const openPalette = "Search and commands";
export const listKeys = "Keyboard shortcuts";
export const goToday = "Go to Today";
export const goOrders = "Go to Orders";
export const goProducts = "Go to Products";
export const goCustomers = "Go to Customers";
export const goPayouts = "Go to Payouts";
export const goInbox = "Go to the inbox";
export const goSettings = "Go to the settings";
export const goAudit = "Go to the audit log";
export const goDay = "Go to the next delivery day";
export const goBoxes = "Go to the boxes of the day";
export const goShorts = "Go to the shorts of the day";
export const goDoor = "Go to the money at the door";
export const goSearch = "Search";
/** Names of keys as they are printed. */
export const ctrl = "Ctrl";
export const shift = "Shift";
export const enter = "Enter";
export const escape = "Esc";
