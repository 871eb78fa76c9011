import { type CalendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { dateIn, pluralIn } from "@marketday/domain/message-format";

// Audit log, in English.

const plural = pluralIn("en");
const listOf = (words: readonly string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(words);
const grouped = (count: number) => count.toLocaleString("en-US");

export const title = "Audit log";
export const count = (entries: number, isMore: boolean) =>
  isMore
    ? `more than ${grouped(entries)} entries`
    : plural(entries, { one: "1 entry", other: `${grouped(entries)} entries` });
export const exportAll = (entries: number, isMore: boolean) => `Export ${count(entries, isMore)}`;
export const list = "Entries";
export const failed = "The audit log could not be loaded.";
export const filtersKept = "Your filters are kept.";
export const none = "Nothing has been written to the audit log yet";
export const noneFound = "No entry matches these filters";
export const noneFoundNote = "Try other words, or fewer filters.";
export const clear = "Clear filters";
export const newEntries = (entries: number, isMore: boolean) =>
  isMore ? `${entries}+ new entries` : plural(entries, { one: "1 new entry", other: `${entries} new entries` });
export const show = "Show";
export const newer = "Newer entries";
export const older = "Older entries";
export const pages = "Pages";
export const ownOnly = "You see what you did yourself.";
export const todayOnly = "You see what you did yourself, and what happens in your markets today.";

export const when = "When";
export const who = "Who";
export const what = "What";
export const why = "Why";
export const market = "Market";
export const undoState = "Undo";

// Filters

export const filters = "Filters";
export const anyone = "Anyone";
export const kinds = {
  staff: "Anyone of the staff",
  operator: "Anyone at the command line",
  customer: "Shoppers",
  vendor: "Vendors",
  system: "Automatic",
} as const;
export const groupKinds = "Groups";
export const groupPeople = "People";
export const anyAction = "Any action";
export const about = "About";
export const anything = "Anything";
export const things = {
  order: "Order",
  customer: "Customer",
  vendor: "Vendor",
  product: "Product",
  delivery: "Delivery day",
  staff: "Person of the staff",
  "gift-card": "Gift card",
  payout: "Payout",
  file: "File",
} as const;
/** What names a thing, by its kind. */
export const thingHints = {
  order: "Order number",
  customer: "Customer number",
  vendor: "Short name, like oak-farm",
  product: "Short name, like pasture-eggs",
  delivery: "Number of the day",
  staff: "Email address",
  "gift-card": "Number of the gift card",
  payout: "Number of the payout",
  file: "Name of the file",
} as const;
export const from = "From";
export const until = "Until";
export const words = "Words";
export const wordsHint = "Reason, number, short name";
export const tooShort = "Type at least 3 letters";
export const ofOneChange = "One change: what was done, and its undo";

/** "2:40 PM" of today, "Nov 26, 2:40 PM" of this year, else with the year: by the clock of the device. */
export const time = (at: Date, now: Date) => {
  const isToday = at.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat("en-US", {
    hour: "numeric",
    minute: "2-digit",
    ...(!isToday && { month: "short", day: "numeric" }),
    ...(at.getFullYear() !== now.getFullYear() && { year: "numeric" }),
  }).format(at);
};
export const exactTime = (at: Date) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long" }).format(at);
export const keyFind = "Search the log";
export const keyNext = "Next entry";
export const keyPrevious = "Previous entry";
export const keyClose = "Close the entry";

/** "Nov 28, 2027, 6:00 PM" of a stored instant, by the clock of the device. */
export const instant = (at: Date) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(at);

// Who

export const you = "You";
export const atCommandLine = (name: string) => `${name}, at the command line`;
export const byCustomer = (name: string) => (name === "" ? "A shopper" : name);
export const byJob = "Automatic";
export const byAnyone = "Someone without a sign-in";
export const byProvider = (name: string) => `Payment provider (${name})`;
export const entrances = {
  staff: "In the admin app",
  operator: "At the command line of the server",
  customer: "In the shop",
  vendor: "By a link for the vendor",
  system: "By a job of the server",
  other: "From outside",
} as const;
export const entrance = "From where";

// One entry

export const entryNumber = (id: string) => `Entry ${id}`;
export const loadingEntry = "Loading the entry";
export const failedEntry = "The entry could not be loaded.";
export const gone = "This entry is not in the log, or you may not read it.";
export const day = "Delivery day";
export const date = (value: CalendarDate) => formatLongWithYear(value);
export const changed = "Before and after";
export const details = "Details";
export const field = "What";
export const before = "Before";
export const after = "After";
export const nothing = "—";
export const yes = "Yes";
export const no = "No";
export const andMore = (value: number) => `and ${grouped(value)} more`;
export const wholeChange = "All entries of this change";
export const undo = "Undo";
export const undoing = "Undoing…";
export const undone = "Undone";
export const canUndo = "Can be undone";
export const wasUndone = "This was undone.";
export const cannotUndo = (reason: string) => `Can’t be undone. ${reason}`;
export const undoneNow = "Undone";
export const noReason = "No reason given";

/** Names of stored values. Others are shown as they are stored, with spaces. */
export const fields: Readonly<Record<string, string>> = {
  amountCents: "Amount",
  backCents: "Goes back",
  bankCents: "Back at the bank",
  bearer: "Paid by",
  boxes: "Boxes",
  came: "Came",
  cents: "Amount",
  creditCents: "As store credit",
  customerId: "Customer",
  deliverOn: "Sent on",
  device: "Device",
  disabled: "Disabled",
  earlierCents: "Back before",
  email: "Email",
  apiKey: "With the API key",
  endedSessions: "Sessions ended",
  revokedKeys: "API keys revoked",
  expiresAt: "Works until",
  factor: "Signed in with",
  from: "From",
  hasArrived: "Here",
  isConfirmed: "Confirmed",
  isNewAddress: "To another address",
  missing: "Missing",
  movedTo: "Moved to",
  name: "Name",
  of: "Ordered",
  ordered: "Ordered",
  orderIds: "Orders",
  passkeys: "Passkeys",
  password: "Password",
  permission: "Permission",
  permissions: "What it may do",
  rejected: "Rejected",
  roles: "Roles",
  template: "Email",
  title: "Item",
  to: "To",
  totalCents: "Amount",
  variantId: "Item number",
  vendor: "Vendor",
  vendors: "Vendors",
  withheld: "Taken off sale",
};

/** Values that are words of ours. */
export const values: Readonly<Record<string, string>> = {
  card: "the card",
  credit: "store credit",
  vendor: "the vendor",
  market: "the market",
};

// What was done: a phrase after the person, "refunded $4.20 of order 397 120 862 to the card"

/** What a phrase is made of. */
export interface Facts {
  /** "order 397 120 862", "Jane Doe", "Thursday, Nov 26 in Carmel" */
  subject: string;
  /** A stored text; empty: none. */
  text: (key: string) => string;
  count: (key: string) => number;
  /** A stored amount, "$4.20"; empty: none. */
  money: (key: string) => string;
  is: (key: string) => boolean;
  /** A person of the staff did it to themselves. */
  isOwn: boolean;
  /** A vendor did it, by a link. */
  isByVendor: boolean;
  /** "2 boxes" of a stored list. */
  orders: string;
  vendors: string;
  missing: string;
}
type Phrase = (facts: Facts) => string;

const of = (amount: string) => (amount === "" ? "" : `${amount} of `);
const to = (place: string) =>
  place === "card" ? " to the card" : place === "credit" ? " as store credit" : place === "" ? "" : ` to ${place}`;
const imported =
  (goods: string): Phrase =>
  ({ subject }) =>
    `imported ${goods} from ${subject}`;
const back = ({ money }: Facts) => {
  const amount = money("backCents");
  return amount === "" || amount === "$0.00" ? "" : `; ${amount} went back`;
};

/** Each known action: its name in the filter, and the phrase. */
export const actions: Readonly<Record<string, { name: string; did: Phrase }>> = {
  alert: { name: "Alert", did: ({ subject }) => `reported something to look at about ${subject}` },
  "audit export": { name: "Export of the audit log", did: () => "exported the audit log" },
  "content import": { name: "Import of content", did: () => "imported posts, pages and banners" },
  "collections import": { name: "Import of collections", did: imported("collections") },
  "credit grant": {
    name: "Credit given",
    did: ({ money, subject }) => `gave ${money("amountCents") || "store credit"} of store credit to ${subject}`,
  },
  "customers delete": { name: "Account deleted", did: ({ subject }) => `deleted the account of ${subject}` },
  "customers export": { name: "Data exported", did: ({ subject }) => `exported the data of ${subject}` },
  "days close": { name: "Day closed", did: (facts) => `closed ${facts.subject}${back(facts)}` },
  "discounts import": { name: "Import of discounts", did: imported("discount codes") },
  dispute: { name: "Dispute", did: ({ subject }) => `recorded a dispute of ${subject} with the bank` },
  "door paid": {
    name: "Paid at the door, together",
    did: ({ orders, money, subject }) => `recorded ${money("cents")} at the door for ${orders} of ${subject}`,
  },
  "gift-cards issue": {
    name: "Gift card issued",
    did: ({ money, subject }) => `issued ${subject} of ${money("amountCents")}`,
  },
  "gift-cards resend": { name: "Gift card sent again", did: ({ subject }) => `sent ${subject} again with a new code` },
  "hubs import": { name: "Import of places", did: imported("places") },
  "images import": { name: "Import of pictures", did: () => "imported pictures" },
  "customers pause": {
    name: "Automatic orders paused or resumed",
    did: ({ subject }) => `changed whether orders are placed automatically for ${subject}`,
  },
  "customers skip": {
    name: "Delivery skipped or unskipped",
    did: ({ subject }) => `changed whether a delivery is skipped for ${subject}`,
  },
  "inbox assign": { name: "Inbox item assigned", did: ({ subject }) => `changed who answers ${subject}` },
  "inbox close": { name: "Inbox item closed", did: ({ subject }) => `closed ${subject}` },
  "inbox hide": { name: "Text hidden", did: ({ subject }) => `hid ${subject} from shoppers` },
  "inbox reopen": { name: "Inbox item opened again", did: ({ subject }) => `opened ${subject} again` },
  "inbox show": { name: "Text shown again", did: ({ subject }) => `showed ${subject} to shoppers again` },
  "inbox template": { name: "Template changed", did: ({ subject }) => `changed ${subject} of the inbox` },
  "orders export": { name: "Orders exported", did: () => "exported a list of orders" },
  "orders message": { name: "Message sent", did: ({ subject }) => `wrote to the customer of ${subject}` },
  "orders note send": { name: "Note sent", did: ({ subject }) => `sent a note of ${subject} to the customer` },
  "orders place": { name: "Address or pickup point changed", did: ({ subject }) => `changed where ${subject} goes` },
  "views change": { name: "View changed", did: () => "changed a saved view" },
  "views create": { name: "View saved", did: () => "saved a view" },
  "views delete": { name: "View deleted", did: () => "deleted a saved view" },
  "inbox reply": { name: "Message answered", did: ({ subject }) => `answered ${subject} for the vendor` },
  "ledger file": { name: "File for the bank", did: ({ subject }) => `downloaded the file for the bank of ${subject}` },
  "ledger payouts": {
    name: "Payout",
    did: ({ money, vendors, text }) => `paid ${vendors} ${money("totalCents")} for deliveries up to ${text("to")}`,
  },
  "ledger reverse": {
    name: "Payout reversed",
    did: ({ money, subject, text }) => `reversed ${money("amountCents")} to ${text("slug")} of ${subject}`,
  },
  "orders cancel": { name: "Order cancelled", did: (facts) => `cancelled ${facts.subject}${back(facts)}` },
  "orders charge": {
    name: "Card charged again",
    did: ({ money, subject }) => `charged the card for ${of(money("cents"))}${subject} again`,
  },
  "orders deliver": { name: "Delivered", did: ({ subject }) => `marked ${subject} as delivered` },
  "orders move": {
    name: "Moved to another day",
    did: ({ subject, text }) => `moved ${subject} from ${text("from")} to ${text("to")}`,
  },
  "orders paid": {
    name: "Paid at the door",
    did: ({ money, subject }) => `recorded ${of(money("cents"))}${subject} as paid at the door`,
  },
  "orders refund": {
    name: "Refund",
    did: ({ money, subject, text }) => `refunded ${of(money("amountCents"))}${subject}${to(text("to"))}`,
  },
  "orders resend": {
    name: "Email sent again",
    did: ({ subject, text }) => `sent the email “${text("template")}” of ${subject} again`,
  },
  "orders short": {
    name: "Short",
    did: (facts) => `recorded ${facts.missing || "something"} as missing in ${facts.subject}${back(facts)}`,
  },
  "orders undo-deliver": { name: "Delivery undone", did: ({ subject }) => `marked ${subject} as not delivered` },
  "orders undo-paid": {
    name: "Payment undone",
    did: ({ money, subject }) => `undid the payment of ${of(money("cents"))}${subject} at the door`,
  },
  "orders write-off": { name: "Written off", did: ({ money, subject }) => `wrote off ${of(money("cents"))}${subject}` },
  "passes end": { name: "Wagon pass ended", did: ({ subject }) => `ended the wagon pass of ${subject}` },
  "problems close": { name: "Problem settled", did: ({ subject }) => `settled a problem with ${subject}` },
  "offers edit": { name: "Products edited", did: ({ subject }) => `changed prices or stock of ${subject}` },
  "offers edit undo": { name: "Edit of products undone", did: ({ subject }) => `undid a change of ${subject}` },
  "offers export": { name: "Products exported", did: () => "exported a list of products" },
  "products import": { name: "Import of products", did: imported("products") },
  "products set": { name: "Products changed", did: ({ subject }) => `changed prices or stock of ${subject}` },
  refund: {
    name: "Refund by the provider",
    did: ({ money, subject }) => `recorded a refund of ${of(money("amountCents"))}${subject}`,
  },
  "refunds close": {
    name: "Refund settled by hand",
    did: ({ money, subject }) => `settled a refund of ${of(money("amountCents"))}${subject} by hand`,
  },
  "refunds send": {
    name: "Refund sent again",
    did: ({ money, subject, text }) => `sent a refund of ${of(money("amountCents"))}${subject}${to(text("to"))} again`,
  },
  restore: { name: "Backup restored", did: ({ subject }) => `restored ${subject}` },
  "settings retry": {
    name: "Failed work tried again",
    did: ({ text, count: number }) =>
      text("subject") === ""
        ? `tried all failed work again, ${grouped(number("retried"))} in all`
        : `tried ${text("job")} ${text("subject")} again`,
  },
  "settings test-mail": {
    name: "Test email sent",
    did: ({ text }) => `sent themselves a test of the email “${text("template")}”`,
  },
  short: {
    name: "Shortage settled",
    did: ({ text, count: number, subject }) =>
      `settled ${text("title")}, ${number("came")} of ${number("ordered")} came, for ${subject}`,
  },
  "short count": {
    name: "Shortage counted",
    did: ({ text, count: number, subject }) =>
      `counted ${text("title")}, ${number("after.came")} of ${number("after.of")} came, for ${subject}`,
  },
  "short remove": {
    name: "Shortage removed",
    did: ({ text, subject }) => `removed the count of ${text("title")} for ${subject}`,
  },
  "staff api-key add": { name: "API key created", did: ({ text }) => `created the API key “${text("name")}”` },
  "staff api-key refused": {
    name: "API key refused",
    did: ({ text, subject }) => `sent the API key “${text("name")}” of ${subject}, which doesn’t work any more`,
  },
  "staff api-key revoke": {
    name: "API key revoked",
    did: ({ text, subject }) => `revoked the API key “${text("name")}” of ${subject}`,
  },
  "staff disable": { name: "Staff disabled", did: ({ subject }) => `disabled ${subject}` },
  "staff invite": { name: "Staff invited", did: ({ subject }) => `invited ${subject}` },
  "staff passkey add": { name: "Passkey added", did: ({ text }) => `added the passkey “${text("name")}”` },
  "staff passkey remove": { name: "Passkey removed", did: ({ text }) => `removed the passkey “${text("name")}”` },
  "staff recovery-codes renew": { name: "Recovery codes renewed", did: () => "made new recovery codes" },
  "staff refused": {
    name: "Refused: no permission",
    did: ({ text }) => `was refused something that needs the permission ${text("permission")}`,
  },
  "staff reset": { name: "Sign-in reset", did: ({ subject }) => `sent ${subject} a new link` },
  "staff roles": { name: "Roles changed", did: ({ subject }) => `changed the roles of ${subject}` },
  "staff session end": { name: "Browser signed out", did: () => "signed out other browsers" },
  "staff sessions end": {
    name: "Signed out by an owner",
    did: ({ text, subject, isOwn }) =>
      `signed ${subject} out of ${text("device") || (isOwn ? "every other browser" : "every browser")}`,
  },
  "staff set-up": {
    name: "Sign-in set up",
    did: ({ text }) => `set up the sign-in with a ${text("factor") || "passkey"}`,
  },
  "staff set-up refused": {
    name: "Set-up refused",
    did: ({ subject }) => `tried to set up the sign-in of ${subject}, and was refused`,
  },
  "staff sign-in": { name: "Sign-in", did: () => "signed in" },
  "staff sign-in refused": {
    name: "Sign-in refused",
    did: ({ subject }) => `tried to sign in as ${subject}, and was refused`,
  },
  "staff sign-out": { name: "Sign-out", did: () => "signed out" },
  "staff step-up": { name: "Confirmed who they are", did: () => "confirmed who they are" },
  "staff step-up refused": {
    name: "Confirmation refused",
    did: ({ subject }) => `tried to confirm being ${subject}, and was refused`,
  },
  "stock set": { name: "Stock set", did: ({ subject }) => `set the stock of ${subject}` },
  "vendors arrived": {
    name: "Vendors arrived",
    did: ({ is, vendors, subject }) =>
      is("hasArrived") ? `checked in ${vendors} for ${subject}` : `took back the check-in of ${vendors} for ${subject}`,
  },
  "vendors confirmed": {
    name: "Vendors confirmed",
    did: ({ is, isByVendor, vendors, subject }) =>
      isByVendor
        ? `confirmed what they bring to ${subject}`
        : is("isConfirmed")
          ? `noted that ${vendors} confirmed for ${subject}`
          : `took back that ${vendors} confirmed for ${subject}`,
  },
  "vendors import": { name: "Import of vendors", did: imported("vendors") },
  "vendors link": {
    name: "Link for a vendor",
    did: ({ is, vendors, subject }) =>
      `made ${is("isReplaced") ? "a new link" : "a link"} for ${vendors} to confirm what they bring to ${subject}`,
  },
};

/** An action of the staff by its kind, as a noun: for what is held and what is undone. */
export const changeKinds: Readonly<Record<string, string>> = {
  short: "the settlement of a shortage",
  cancel_order: "the cancellation",
  resend_mail: "sending an email again",
  mark_paid: "the recording of payments",
};
export const heldName = (kind: string) => `Planned: ${kind}`;
export const undoName = (kind: string) => `Undone: ${kind}`;
export const held = (kind: string, subject: string) => `started ${kind} of ${subject}`;
export const undid = (kind: string, subject: string) => `undid ${kind} of ${subject}`;
/** An action without a phrase. */
export const unknown = (action: string, subject: string) => (subject === "" ? action : `${action}: ${subject}`);

// What it was done to

const shortDay = dateIn("en-US", { weekday: "short", month: "short", day: "numeric" });
/** "Thu, Nov 26" */
export const shortDate = (value: CalendarDate) => shortDay(value);
export const orderNamed = (number: string) => `order ${number}`;
export const customerNamed = (name: string, id: string) => (name === "" ? `customer ${id}` : name);
export const dayOf = (date_: string | null, place: string | null, id: string) =>
  date_ === null ? `delivery day ${id}` : place === null ? date_ : `${date_} in ${place}`;
export const giftCard = (id: string) => `gift card ${id}`;
export const payout = (id: string) => `payout ${id}`;
export const file = (name: string) => name;
export const backup = (name: string) => `the backup of ${name}`;
export const payment = (id: string) => `payment ${id}`;
export const thingNamed = (kind: string, id: string) => (id === "" ? kind : `${kind} ${id}`);
export const orders = (total: number) => plural(total, { one: "1 order", other: `${grouped(total)} orders` });
export const vendors = (names: readonly string[]) => (names.length === 0 ? "vendors" : listOf(names));
export const units = (names: readonly string[]) => listOf(names);
