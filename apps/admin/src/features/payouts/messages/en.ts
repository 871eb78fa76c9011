import { pluralIn } from "@marketday/domain/message-format";

// Payouts, in English.

const plural = pluralIn("en");
const grouped = (count: number) => count.toLocaleString("en-US");
const toCount = (count: number) => plural(count, { one: "1 vendor", other: `${grouped(count)} vendors` });

export const title = "Payouts";
export const views = "Views of the payouts";
export const viewNames = { due: "To pay", paid: "Paid" } as const;
export const ofAllMarkets = "Vendors are paid for all markets together: the filter by market doesn’t apply here.";
export const place = (place: number, count: number) => `${place} of ${grouped(count)}`;
export const nextRow = "Next row";
export const previousRow = "Previous row";
export const closePanel = "Close the panel";
export const names = (all: readonly string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(all);

// To pay
export const list = "Vendors to pay";
/** "Deliveries up to Thursday, November 26" */
export const upToDay = (day: string) => `Deliveries up to ${day}`;
export const upTo = "Deliveries up to";
export const dayIncomplete = "Give the whole date, with a year of four digits.";
export const dayLater = "Choose today or a day before it. What is sold for later days can still change.";
export const openDays = (count: number) =>
  plural(count, {
    one: "1 delivery day up to then hasn’t closed yet. It isn’t included.",
    other: `${grouped(count)} delivery days up to then haven’t closed yet. They aren’t included.`,
  });
export const onServer = "On the server:";
export const vendor = "Vendor";
export const sales = "Sales";
export const salesBefore = "Sales ";
export const commission = "Commission";
export const other = "Other";
export const toPay = "To pay";
export const state = "Note";
export const carriedOver = "Carried over";
export const noEmail = "No email";
export const noEmailNote = "No email address: they get no message about payouts.";
export const vendorsSum = "Vendors";
export const someOf = (count: number, total: number) =>
  count === total ? grouped(count) : `${grouped(count)} of ${grouped(total)}`;
/** "Pay $8,676.58" */
export const pay = (amount: string) => `Pay ${amount}`;
export const payKey = "Pay the vendors";
export const nothingOwed = "Nothing is owed to vendors";
export const nothingOwedNote = (last: number | null) =>
  last === null
    ? "No delivery day up to then has sales that are to be paid."
    : `Everything up to then is paid. The last one is payout ${last}.`;
export const openPayout = (number: number) => `Open payout ${number}`;
export const failedDue = "What is owed didn’t load.";

// The statement of one vendor
export const statement = "Statement";
export const noVendor = "No such vendor";
export const noVendorHelp = "There is no vendor with this number.";
export const failedStatement = "The statement didn’t load.";
export const loadingStatement = "the statement";
export const notAllowed = "Your role doesn’t include payouts. An owner can change that under Staff.";
/** "Deliveries after Thu, Nov 12, up to Thu, Nov 26" */
export const period = (paidTo: string, to: string) => `Deliveries after ${paidTo}, up to ${to}`;
export const periodTo = (to: string) => `All deliveries up to ${to}`;
export const unpaidTo = (to: string) => `Not paid yet, up to ${to}`;
/** "Paid up to Thursday, November 26" */
export const paidUpTo = (day: string) => `Paid up to ${day}`;
export const quantity = "Number";
export const item = "Item";
export const amount = "Amount";
export const itemNamed = (item: string, variant: string) => (variant === "" ? item : `${item}, ${variant}`);
export const nothingSold = "Nothing was sold in these days.";
/** "Sales, 121 items in 58 orders" */
export const salesOf = (units: number, orders: number) =>
  `Sales, ${plural(units, { one: "1 item", other: `${grouped(units)} items` })} in ${plural(orders, { one: "1 order", other: `${grouped(orders)} orders` })}`;
export const compensation = "Paid by the market";
export const compensationTaken = "Taken off for refunds";
export const earlier = "From days before";
export const earlierTaken = "Paid too much before";

// The confirmation
export const payTitle = (count: number) => `Pay ${toCount(count)}`;
export const payEffect = (amount: string, count: number, day: string) =>
  `This books ${amount} as paid to ${toCount(count)} for deliveries up to ${day}. Each one with an email address gets an email. It can’t be undone; a part that doesn’t arrive can be reversed.`;
export const toVendors = (count: number) => `To ${toCount(count)}`;
export const paying = "Booking…";
export const notNow = "Not now";
export const payUnknown =
  "No clear answer came, so we don’t know whether it was booked. Press the button again: it’s booked only once.";
const owedNow = (amount: string, count: number) =>
  count === 0 ? "nothing is owed now" : `${amount} to ${toCount(count)} is owed now`;
export const changed = (before: string, now: string, count: number) =>
  before === now
    ? `The amounts of some vendors have changed: ${owedNow(now, count)}.`
    : `The amounts have changed: ${before} was shown, and ${owedNow(now, count)}.`;
/** "A new day has begun: for deliveries up to Friday, November 27, $12.50 to 1 vendor is owed now." */
export const newDay = (day: string, amount: string, count: number) =>
  `A new day has begun: for deliveries up to ${day}, ${owedNow(amount, count)}.`;
/** "Payout 812 was booked meanwhile, and $12.50 to 1 vendor is owed now." */
export const bookedMeanwhile = (number: number, amount: string, count: number) =>
  `Payout ${number} was booked meanwhile, and ${owedNow(amount, count)}.`;
export const nothingBooked = "Nothing was booked.";
export const ownNotBooked = "Yours wasn’t booked.";
export const failedNew = "Other amounts are owed by now, and they didn’t load. Nothing was booked.";
export const retry = "Try again";
export const retrying = "Loading…";
export const showNew = "Show the new amounts";
/** "Payout 812 is booked: $8,676.58 to 14 vendors" */
export const booked = (number: number, amount: string, count: number) =>
  `Payout ${number} is booked: ${amount} to ${toCount(count)}`;
export const bookedNote = "Give the file to your bank. It stays under Paid.";
export const downloadFile = "Download bank file";

// Paid
export const paidList = "Booked payouts";
export const count = (count: number) => plural(count, { one: "1 payout", other: `${grouped(count)} payouts` });
export const number = "Payout";
export const payoutNumber = (number: number | string) => `Payout ${number}`;
export const bookedOn = "Booked";
export const by = "By";
export const reversed = "Reversed";
export const reversedAmount = (amount: string) => `Reversed ${amount}`;
export const pages = "Pages of payouts";
export const noneOnPage = "No payouts on this page";
export const toFirstPage = "Go to the first page";
export const nonePaid = "No payout was booked yet";
export const nonePaidNote = "The first one is here as soon as vendors are paid.";
export const openDue = "See what is owed";
export const failedPaid = "The payouts didn’t load.";

// One payout
export const noPayout = "No such payout";
export const noPayoutHelp = "There is no payout with this number.";
export const failedPayout = "The payout didn’t load.";
export const loadingPayout = "the payout";
/** "Booked Thu, Nov 26 by Ada Kowalski" */
export const headNote = (day: string, by: string) => `Booked ${day} by ${by}`;
export const headDay = (day: string) => `Deliveries up to ${day}`;
export const parts = "Parts of the payout";
export const allReversed = "Every part was reversed, so there is no file for the bank.";
/** "Reversed Fri, Nov 27 by Ada Kowalski" */
export const reversedBy = (day: string, by: string) => `Reversed ${day} by ${by}`;
export const reverse = "Reverse…";
export const reverseLabel = (name: string) => `Reverse the part of ${name}`;
export const reverseTitle = (amount: string, name: string) => `Reverse ${amount} to ${name}`;
export const reverseEffect = (amount: string, name: string, number: number, isMailed: boolean) =>
  `This books ${amount} to ${name} in payout ${number} as not paid. It’s owed again${isMailed ? ", and they get an email" : ""}. It can’t be undone.`;
export const doReverse = (amount: string) => `Reverse ${amount}`;
export const reversing = "Reversing…";
export const reason = "Reason";
export const reasonHint = "For the audit log, like “account closed”.";
export const reasonMissing = "Give a reason.";
export const cancel = "Cancel";
export const reversedNow = (amount: string, name: string) => `${amount} to ${name} is owed again`;
export const reversedBefore = (name: string) => `The part of ${name} was reversed before`;
export const reverseUnknown =
  "No clear answer came, so we don’t know whether it was reversed. Try again: it’s reversed only once.";
