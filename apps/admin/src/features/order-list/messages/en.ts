import { dateIn, pluralIn } from "@marketday/domain/message-format";
// Orders, in English.
import type { OrderTokenName } from "@marketday/domain/order-query";

const plural = pluralIn("en");
const day = dateIn("en-US", { weekday: "short", month: "short", day: "numeric" });
const dayWithYear = dateIn("en-US", { month: "short", day: "numeric", year: "numeric" });
type Day = Parameters<typeof day>[0];

export const title = "Orders";
export const number = (value: number) => value.toLocaleString("en-US");
export const shortDay = (date: Day, isThisYear: boolean) => (isThisYear ? day(date) : dayWithYear(date));

// The head
export const countOf = (shown: number, all: number) =>
  shown === all
    ? plural(all, { one: "1 order", other: `${number(all)} orders` })
    : `${number(shown)} of ${number(all)}`;
export const print = "Print";
export const printing = "Preparing…";
export const printedPart = (printed: number, all: number) =>
  `The first ${number(printed)} of ${number(all)} are printed. Narrow the filter to print the others.`;
export const exportCount = (count: number) => `Export ${number(count)}`;
export const exporting = "Exporting…";
export const exportFailed = "The export didn’t work.";

// Views
export const viewNames = {
  all: "All orders",
  week: "Next boxes",
  due: "Owes or collects",
  declined: "Card declined",
  note: "Has a note",
  first: "First orders",
};
export const boxesOf = (weekday: string) => `${weekday} boxes`;

// The filter box
export const filter = "Filter the orders";
export const filterHint = "owes:yes, has:note, or any name, phone or number";
export const filterHintShort = "Name, phone, number";
export const filterKey = "Filter the orders";
export const searchWords = (text: string) => `“${text}” in names, numbers, phones and emails`;
export const tokenDetails: Readonly<Record<OrderTokenName, string>> = {
  hub: "a market",
  day: "a delivery day, or two with .. between them",
  vendor: "a vendor in the box",
  product: "a product in the box",
  status: "open, packing, delivered, cancelled",
  money: "paid, due, declined, refund",
  owes: "to collect at the door",
  has: "a note, a problem, a first order",
  way: "door or pickup",
  point: "a pickup point",
  customer: "a customer",
  tote: "a tote number",
  driver: "a driver",
};
export const valueWords: Readonly<Record<string, string>> = {
  "status:open": "Open",
  "status:packing": "Packing",
  "status:delivered": "Delivered",
  "status:cancelled": "Cancelled",
  "money:due": "to collect",
  "money:declined": "card declined",
  "money:back_failed": "refund failed",
  "money:back": "refund",
  "money:written_off": "written off",
  "money:held": "held on the card",
  "money:to_charge": "to charge",
  "money:paid": "paid",
  "money:none": "nothing to pay",
  "owes:yes": "anything",
  "has:note": "a note",
  "has:problem": "an open problem",
  "has:auto": "auto-checkout",
  "has:first": "a first order",
  "way:door": "to the door",
  "way:pickup": "pickup",
};
export const moreThan = (amount: string) => `more than ${amount}`;
export const dayRange = (from: string | null, to: string | null) =>
  from === null ? `until ${to}` : to === null ? `from ${from}` : `${from} to ${to}`;

// The table
export const orders = "Orders";
export const columns = "Columns";
export const columnsTitle = "Columns of this view";
export const columnsLead = "Check what the list shows. The order of the columns is the order here.";
export const moveUp = (name: string) => `Move ${name} up`;
export const moveDown = (name: string) => `Move ${name} down`;
export const usualColumns = "Use the usual columns";
export const doneColumns = "Show these columns";
export const columnNames = {
  day: "Day",
  market: "Market",
  tote: "Tote",
  order: "Order",
  name: "Customer",
  where: "Where",
  stop: "Stop",
  lines: "Lines",
  units: "Items",
  matching: "Matching items",
  total: "Total",
  money: "Money",
  status: "Status",
  placed: "Placed",
  flags: "Flags",
};
export const matchingHead = "Match";
export const flags = {
  note: "Has a note",
  auto: "Placed by auto-checkout",
  first: "First order",
  problem: "Problem reported",
};
export const narrowNote = (parts: readonly string[]) => parts.join(", ");
export const changed = ", changed";
export const gone = ", no longer on this page";
export const selectOrder = (number: string, name: string) => `Select order ${number}, ${name}`;
export const selectPage = "Select all orders on this page";
export const sumOrders = (count: number) => plural(count, { one: "1 order", other: `${number(count)} orders` });
export const sumTotal = "Total";
export const sumOwes = "Owes";
export const sumLines = "Lines";
export const sumMatching = "Matching items";
export const pages = "Pages of orders";
export const previousPage = "Previous page";
export const nextPage = "Next page";
export const rowsOf = (from: number, to: number, all: number) => `${number(from)}–${number(to)} of ${number(all)}`;
export const placeInList = (place: number, count: number) => `${number(place)} of ${number(count)}`;
export const failedOrders = "Orders didn’t load.";
export const filtersKept = "Your filters are kept.";
export const badFilter = "That filter isn’t understood.";
export const noOrders = "No orders yet";
export const noOrdersNote = "Orders show up here as soon as people order.";
export const noneMatch = (words: string) => `No order matches ${words}`;
export const noneOnPage = "There are no orders on this page";
export const ordersInAll = (all: number, filters: number) =>
  `${sumOrders(all)}, ${plural(filters, { one: "1 filter", other: `${filters} filters` })}.`;
export const toFirstPage = "Go to the first page";

// Keys
export const nextOrder = "Next order";
export const previousOrder = "Previous order";
export const selectKey = "Select the order";
export const selectAllKey = (count: number) => `Select all ${number(count)}`;
export const closePanel = "Close the panel";
export const clearSelection = "Clear the selection";

// The selection
export const selection = "Selected orders";
export const selected = (count: number) => `${number(count)} selected`;
export const selectAll = (count: number) => `Select all ${number(count)}`;
export const selectingAll = "Selecting…";
export const clear = "Clear";
export const escape = "Esc";

// Recall
export const recall = "Recall…";
export const recallTitle = "Recall";
export const recallLead =
  "Find everyone who got a product or anything from a vendor between two days. With the list you can then print labels, send a message and export names and phones.";
export const recallWhat = "Product or vendor";
export const recallWhatHint = "Type a part of its name and choose it.";
export const recallWhatMissing = "Choose a product or vendor from the list.";
export const recallFrom = "From";
export const recallTo = "To";
export const recallDayMissing = "Choose a day.";
export const recallDayOrder = "The last day is before the first one. Swap them.";
export const recallFind = "Find the orders";
export const recallKinds = { product: "Product", vendor: "Vendor" };
export const recallNone = (text: string) => `No product or vendor matches “${text}”`;
export const ofVendor = (kind: string, detail: string) => (detail === "" ? kind : `${kind}, ${detail}`);
