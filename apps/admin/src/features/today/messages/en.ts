// The board of delivery days, in English.

import {
  addDays,
  type CalendarDate,
  dateInZone,
  daysBetween,
  formatDay,
  formatLong,
  isNear,
  wallClock,
  weekdayOf,
  weekdayShort,
} from "@marketday/domain/calendar-date";
import type { DayStepName } from "@marketday/domain/day-steps";
import { pluralIn } from "@marketday/domain/message-format";

const plural = pluralIn("en");
const whole = new Intl.NumberFormat("en-US");
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** "1,204" */
export const number = (value: number) => whole.format(value);
/** "$6,214.80" */
export const money = (value: number) => dollars.format(value);

export const title = "Today";
export const board = "today’s board";

// Dates and times, by the clock of a market

/** "2:40 PM", "6 AM" */
const time = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone: zone })
    .format(at)
    .replace(":00", "")
    .replaceAll(/\s/g, "\u00A0");
/** "Denver", of the zone "America/Denver" */
const place = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
/** "Wednesday, November 25, 2:40 PM in Indianapolis" */
export const nowIn = (now: Date, zone: string, withPlace: boolean): string => {
  const today = dateInZone(now, zone);
  return `${formatLong(today, today)}, ${time(now, zone)}${withPlace ? ` in ${place(zone)}` : ""}`;
};
/** "Wednesday, 2:40 PM" */
export const nowInShort = (now: Date, zone: string, withPlace: boolean): string =>
  `${weekdayOf(dateInZone(now, zone))}, ${time(now, zone)}${withPlace ? ` in ${place(zone)}` : ""}`;
/** "Thu 6 AM in Denver" */
export const inPlace = (at: string, zone: string): string => `${at} in ${place(zone)}`;
/** "Denver time" */
export const timesIn = (zone: string): string => `${place(zone)} time`;
/** "6 AM" today, then "Thu", further away and past "Dec 3" */
export const when = (at: Date, zone: string, now: Date): string => {
  const [date, today] = [dateInZone(at, zone), dateInZone(now, zone)];
  if (date === today) return time(at, zone);
  return date > today && isNear(date, today) ? weekdayShort(date) : formatDay(date, today);
};
/** "6 AM" today, else "Thu 6 AM", further away "Dec 3, 6 AM"; the end of a day is its midnight: "Wed midnight" */
export const whenExactly = (at: Date, zone: string, now: Date): string => {
  const today = dateInZone(now, zone);
  const { date: day, timeOfDayMs } = wallClock(at, zone);
  const [date, clock] = timeOfDayMs === 0 ? [addDays(day, -1), "midnight"] : [day, time(at, zone)];
  if (date === today) return clock;
  return isNear(date, today) ? `${weekdayShort(date)} ${clock}` : `${formatDay(date, today)}, ${clock}`;
};
/** "Today", "Tomorrow", "Yesterday", "Friday", "Dec 3" */
export const dayName = (day: CalendarDate, today: CalendarDate): string => {
  const distance = daysBetween(today, day);
  if (distance === 0) return "Today";
  if (distance === 1) return "Tomorrow";
  if (distance === -1) return "Yesterday";
  return isNear(day, today) ? weekdayOf(day) : formatDay(day, today);
};
/** In a sentence: "today", "tomorrow", "yesterday", "Friday", "Dec 3" */
const dayInSentence = (day: CalendarDate, today: CalendarDate): string => {
  const name = dayName(day, today);
  return Math.abs(daysBetween(today, day)) <= 1 ? name.toLowerCase() : name;
};
/** "3 hours 20 minutes", "2 days 4 hours"; at least a minute */
export const span = (ms: number): string => {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const d = (count: number) => plural(count, { one: `${count} day`, other: `${count} days` });
  const h = (count: number) => plural(count, { one: `${count} hour`, other: `${count} hours` });
  const m = (count: number) => plural(count, { one: `${count} minute`, other: `${count} minutes` });
  const two = (first: string, rest: number, second: string) => (rest === 0 ? first : `${first} ${second}`);
  if (days > 0) return two(d(days), hours % 24, h(hours % 24));
  if (hours > 0) return two(h(hours), minutes % 60, m(minutes % 60));
  return m(minutes);
};
/** "3 h ago", "4 d ago" */
export const ago = (at: Date, now: Date): string => {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 60 / 24)} d ago`;
};

// The board

export const days = "Delivery days";
export const market = "Market";
export const next = "Next";
export const stepNames = {
  opens: "Opens",
  auto_checkout: "Auto-checkout",
  cutoff: "Cutoff",
  sheets: "Sheets",
  vendors_in: "Vendors in",
  filled: "Filled",
  loaded: "Loaded",
  delivered: "Delivered",
  closed: "Closed",
  paid_out: "Paid out",
};
/** The steps of one row: "Steps of Carmel, Thursday, November 26" */
export const stepsOf = (hub: string, day: CalendarDate, today: CalendarDate) =>
  `Steps of ${hub}, ${formatLong(day, today)}`;
export const boxes = (count: number) => plural(count, { one: "1 box", other: `${number(count)} boxes` });
export const openOrders = (count: number) =>
  count === 0 ? "no orders yet" : plural(count, { one: "1 open order", other: `${number(count)} open orders` });
export const outNow = "Out now";
/** "Tomorrow · 94 boxes" */
export const about = (day: string, count: string) => `${day} · ${count}`;
/** "Vendors in, 11 of 17" */
export const stepWithWords = (step: string, words: string) => (words === "" ? step : `${step}, ${words}`);

// Words under a mark

export const version = (value: number) => `v${value}`;
export const someOf = (count: number, total: number) => `${number(count)} of ${number(total)}`;
export const dueAt = (at: string) => `due ${at}`;
export const farms = (count: number) => plural(count, { one: "1 farm", other: `${number(count)} farms` });
export const farmsOf = (count: number, total: number) => `${number(count)} of ${number(total)} farms`;
export const missed = "missed";
export const onPaper = "on paper";
export const noWords = "–";

// What is next

type Dollars = number | null;
export const nothing = "Nothing to do";
/** What has the mark, and when: "Late since Thu 6 AM" */
export const lateSince = (at: string) => `Late since ${at}`;
export const dueBy = (at: string) => `Due by ${at}`;
export const due = "Due now";
export const by = (at: string) => `by ${at}`;
export const since = (at: string) => `since ${at}`;

export const runLateStep = (step: string) => `${step} hasn’t run`;
export const createSheets = "Create sheets";
export const renewSheets = "Renew the sheets";
export const settleShorts = (count: number) =>
  plural(count, { one: "Settle 1 short", other: `Settle ${number(count)} shorts` });
export const collect = (count: number, amount: Dollars) =>
  amount === null
    ? plural(count, { one: "Collect for 1 box", other: `Collect for ${number(count)} boxes` })
    : `Collect ${money(amount)}`;
export const collectFrom = (count: number) =>
  plural(count, { one: "from 1 box", other: `from ${number(count)} boxes` });
export const retryCharges = (count: number) =>
  plural(count, { one: "1 card declined", other: `${number(count)} cards declined` });
export const deliver = (count: number) =>
  plural(count, { one: "1 box to deliver", other: `${number(count)} boxes to deliver` });
export const payVendors = (count: number) => plural(count, { one: "Pay 1 farm", other: `Pay ${number(count)} farms` });
export const toFarms = (amount: number) => `${money(amount)} in all`;
const waiting = (count: number) =>
  plural(count, { one: "1 box is waiting", other: `${number(count)} boxes are waiting` });
export const ahead = (count: number) => `${number(count)} ahead of last week`;
export const behind = (count: number) => `${number(count)} behind last week`;
export const level = "As many as last week";
/** "Nothing to do, 6 ahead of last week" */
export const titleAndNote = (title: string, note: string) => `${title}, ${lower(note)}`;
export const pace = (thisWeek: number, lastWeek: number) =>
  `Orders so far: ${number(thisWeek)} this week, ${number(lastWeek)} last week`;

// The card on top

export const mostUrgent = "Most urgent";
export const cardRunLateStep = (hub: string, step: string) => `${hub}: ${step} hasn’t run`;
export const cardRunLateStepBody =
  "The server runs it on schedule. If it was off, run the waiting jobs; if it wasn’t, look at its log.";
export const cardCreateSheets = (hub: string, day: CalendarDate, today: CalendarDate) =>
  `${hub} has no sheets for ${dayInSentence(day, today)}`;
export const cardCreateSheetsBody = (count: number) => `${waiting(count)}.`;
export const cardRenewSheets = (hub: string) => `${hub}’s sheets are out of date`;
export const cardRenewSheetsBody = (count: number) =>
  plural(count, {
    one: "Orders have changed since they were made. 1 box is waiting.",
    other: `Orders have changed since they were made. ${number(count)} boxes are waiting.`,
  });
export const cardSettleShorts = (hub: string, count: number) => `${hub}: ${lower(settleShorts(count))}`;
export const cardSettleShortsBody =
  "Fewer came than were ordered. Settling shares out what came, gives the money back and emails the customers.";
export const cardCollect = (hub: string, count: number, amount: Dollars) => `${hub}: ${lower(collect(count, amount))}`;
export const cardCollectBody = (count: number) =>
  plural(count, {
    one: "1 box is paid at the door. Mark it as paid once you have the money.",
    other: `${number(count)} boxes are paid at the door. Mark them as paid once you have the money.`,
  });
export const cardRetryCharges = (hub: string, count: number) => `${hub}: ${retryCharges(count)}`;
export const cardRetryChargesBody = (count: number, amount: Dollars) =>
  `${amount === null ? "" : `${money(amount)} isn’t paid. `}${plural(count, { one: "Charge the card again", other: "Charge each card again" })}, or call the customer.`;
export const cardDeliver = (hub: string, count: number) => `${hub}: ${deliver(count)}`;
export const cardDeliverBody = "Mark what has arrived. The customer gets an email.";
export const cardPayVendors = (hub: string, count: number) =>
  plural(count, { one: `${hub}: 1 farm isn’t paid`, other: `${hub}: ${number(count)} farms aren’t paid` });
export const cardPayVendorsBody = (amount: Dollars, day: CalendarDate, today: CalendarDate) =>
  `${amount === null ? "Their shares" : money(amount)} of ${formatLong(day, today)}.`;
/** After a sentence: "Due in 3 hours 20 minutes." */
export const timeLeft = (left: string) => `Due in ${left}.`;
export const overdue = (late: string) => `Overdue by ${late}.`;
export const creating = "Creating sheets…";
export const enter = "Enter";

export const allDone = "Nothing to do right now";
/** What happens next without anyone: "Next: orders close in Lawrence, Thu 1 AM." */
export const comesNext = (step: DayStepName, hub: string, at: string): string => `Next: ${coming(step, hub)}, ${at}.`;
const coming = (step: DayStepName, hub: string): string => {
  switch (step) {
    case "opens":
      return `${hub} opens for orders`;
    case "auto_checkout":
      return `auto-checkout in ${hub}`;
    case "cutoff":
      return `orders close in ${hub}`;
    case "sheets":
      return `sheets for ${hub}`;
    case "vendors_in":
      return `vendors arrive in ${hub}`;
    case "filled":
      return `totes are filled in ${hub}`;
    case "loaded":
      return `vans are loaded in ${hub}`;
    case "delivered":
      return `${hub} is delivered`;
    case "closed":
      return `the delivery day of ${hub} ends`;
    case "paid_out":
      return `payouts for ${hub}`;
  }
};
export const command = "Command";
export const copyCommand = "Copy the command of what is most urgent";
export const commandFor = (what: string, hub: string) => `Command for ${hub}: ${what}`;
/** The screens on which things are done, as buttons of their rows */
export const screens = {
  sheets: "Sheets",
  shorts: "Settle",
  door: "Collect",
  charges: "Charge",
  boxes: "Deliver",
  payouts: "Pay",
};
/** What a screen reader says of them: "Sheets for Carmel, Thursday, November 26" */
export const screenFor = {
  sheets: (hub: string, day: CalendarDate, today: CalendarDate) => `Sheets for ${hub}, ${formatLong(day, today)}`,
  shorts: (hub: string, day: CalendarDate, today: CalendarDate) => `Settle shorts in ${hub}, ${formatLong(day, today)}`,
  door: (hub: string, day: CalendarDate, today: CalendarDate) =>
    `Collect at the door in ${hub}, ${formatLong(day, today)}`,
  charges: (hub: string, day: CalendarDate, today: CalendarDate) =>
    `Declined cards of ${hub}, ${formatLong(day, today)}`,
  boxes: (hub: string, day: CalendarDate, today: CalendarDate) => `Boxes of ${hub}, ${formatLong(day, today)}`,
  /** A payout is of every market. */
  payouts: (_hub: string, day: CalendarDate, today: CalendarDate) =>
    `Pay all vendors for deliveries up to ${formatLong(day, today)}`,
};
/** The same in the card on top */
export const openScreen = {
  sheets: "Open the sheets",
  shorts: "Settle shorts",
  door: "Collect at the door",
  charges: "See the declined cards",
  boxes: "Mark what has arrived",
  payouts: "Pay the vendors",
};
/** Of the keys */
export const oneToNine = "1–9";
export const jumpToMarket = "Go to a market’s row";

// Counts

export const attention = "Needs attention";
export const stock = "Stock";
export const moneyCounts = "Money";
export const system = "System";
export const counts = {
  shorts_to_settle: "Shorts to settle",
  problems_open: "Problems reported",
  questions_waiting: "Questions to answer",
  messages_waiting: "Messages to answer",
  applications_new: "Vendor applications",
  sold_out_watched: "Sold out, but watched",
  cards_declined: "Cards declined",
  to_collect: "To collect at the door",
  refunds_waiting: "Refunds on hold",
  disputes_open: "Disputes open",
  payouts_due: "Payouts due",
  checks_failed: "Checks failed",
  mails_waiting: "Emails waiting",
  jobs_failed: "Jobs failed",
  backup_age: "Last backup",
};
export const never = "never";
export const notYet = "not run yet";

// Instead of the board

export const failed = "Today didn’t load.";
export const retry = "Try again";
export const noMarkets = "There are no markets yet";
export const noMarketsBody =
  "Import the areas that you deliver to, each with its delivery day, from a GeoJSON file. They show up here at once.";
export const noDays = "No delivery days are planned";
export const noDaysBody = "A market’s next days show up here a week before they open for orders.";
export const noDaysIn = (hub: string) => `No delivery days are planned in ${hub}`;
export const importHubs = "hubs import FILE.geojson";

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
