import { pluralIn } from "@marketday/domain/message-format";

const plural = pluralIn("en");
const whole = new Intl.NumberFormat("en-US");

// Customers, in English.

// List
export const title = "Customers";
export const list = "Customers";
export const count = (count: number) =>
  plural(count, { one: `${count} customer`, other: `${whole.format(count)} customers` });
export const countFound = (count: number) => `${whole.format(count)} found`;
export const find = "Find a customer";
export const findHint = "Name, email, phone, last 4 of a card, or order number";
export const name = "Name";
export const contact = "Contact";
export const market = "Market";
export const orders = "Orders";
export const lastDay = "Last order";
export const credit = "Credit";
export const found = "Found in";
export const noMarket = "None chosen";
export const never = "Never";
export const pages = "Pages of customers";
export const deletedAccount = "Account deleted";
export const noCustomers = "No customers yet";
export const noCustomersNote = "People show up here as soon as they create an account.";
export const noneFound = (text: string) => `No customer matches “${text}”`;
export const noneInMarket = (market: string) => `No customers in ${market}`;
export const noneFoundNote =
  "Names, emails, phones, the last four digits of a saved card and order numbers were looked at.";
export const noneOnPage = "No customers on this page";
export const toFirstPage = "Go to the first page";
export const showAll = "Show all customers";
export const allMarkets = "Look in all markets";
export const failedList = "The customers didn’t load.";
export const filterKept = "Your search is kept.";
export const findKey = "Find a customer";
export const nextCustomer = "Next customer";
export const previousCustomer = "Previous customer";
export const closePanel = "Close the panel";

// One person
export const customerNumber = (id: string) => `Customer ${id}`;
export const placeInList = (place: number, count: number) => `${place} of ${count}`;
export const loadingCustomer = "the customer";
export const customerTitle = "Customer";
export const noCustomer = "No such customer";
export const noCustomerHelp =
  "There is no customer with this number, or they belong to a market whose customers you can’t see.";
export const notAllowedHelp =
  "Your role doesn’t include the customers of this market. An owner can change that under Staff.";
export const failedCustomer = "The customer didn’t load.";
/** "Carmel, customer since Mar 4, 2025" */
export const headNote = (market: string | null, since: string) =>
  market === null ? `Customer since ${since}` : `${market}, customer since ${since}`;
export const deletedOn = (day: string) => `Deleted ${day}`;
export const deletedHelp = "This account was deleted. Orders and bookings stay for the books; nothing else is known.";

export const ordersTitle = "Orders";
/** "31, $1,204.10 in all" */
export const ordersNote = (count: number, spent: string) =>
  count === 0 ? "none" : `${whole.format(count)}, ${spent} in all`;
export const noOrders = "No orders in the markets that you can see.";
export const order = "Order";
export const day = "Day";
export const status = "Status";
export const items = "Items";
export const total = "Total";
export const statuses = { open: "Open", packing: "Packing", delivered: "Delivered", cancelled: "Cancelled" };
export const moreOrders = (count: number) =>
  plural(count, { one: "Show 1 more", other: `Show ${whole.format(count)} more` });
export const fewerOrders = "Show fewer";
/** "The newest 50 of 120. All of them are under Orders." */
export const newestOf = (shown: number, count: number) => `The newest ${shown} of ${whole.format(count)}.`;
export const allInOrders = "All of them under Orders";

export const creditTitle = "Store credit";
export const noCredit = "No credit was given or spent.";
export const when = "When";
export const what = "What";
export const amount = "Amount";
export const balance = "Balance";
/** Kinds of bookings of store credit. */
export const bookings: Readonly<Record<string, string>> = {
  sale: "Paid with credit",
  edit: "Order changed",
  capture: "Charge",
  refund: "Refund",
  gift_card: "Gift card",
  referral: "Referral",
  compensation: "Compensation",
  write_off: "Written off",
  dispute: "Dispute",
  void: "Charge cancelled",
};
/** A booking named credit, by its direction and whether it belongs to an order. */
export const creditBooking = (isTaken: boolean, isOfOrder: boolean) =>
  isOfOrder ? (isTaken ? "Paid with credit" : "Back as credit") : isTaken ? "Taken back" : "Given";
export const otherBooking = "Other";
export const creditOlder = "Older entries are not listed.";

export const boxesTitle = "Next boxes";
export const noBoxes = "No delivery days are planned.";
export const ordersClose = (time: string) => `Orders close ${time}`;
export const ordersClosed = (time: string) => `Orders closed ${time}`;
export const nothingComes = "Nothing comes automatically";
export const nothingOrdered = "Nothing was ordered automatically";
/** "About $23.40, ordered 1 PM Monday" */
export const orderedAt = (total: string, time: string) => `About ${total}, ordered ${time}`;
export const failedBoxes = "The next boxes didn’t load.";
export const loadingBoxes = "the next boxes";
export const skipConflict = "Someone changed this day a moment ago. It’s as you wanted it now.";
export const skipped = "Skipped";
export const ordered = "Ordered";
export const skip = "Skip";
export const skipLabel = (day: string) => `Skip ${day}`;
export const skipping = "Skipping…";
export const dontSkip = "Don’t skip";
export const dontSkipLabel = (day: string) => `Don’t skip ${day}`;
export const unskipping = "Saving…";
export const skipUnknown = "We don’t know whether the day was changed. Look at the day, then try again.";

export const subscriptionsTitle = "Subscriptions";
export const noSubscriptions = "No subscriptions.";
/** "2, every week", "1, every 2 weeks" */
export const schedule = (quantity: number, every: number) =>
  `${quantity}, ${every === 1 ? "every week" : `every ${every} weeks`}`;
export const bundleBy = (vendor: string) => (vendor === "" ? "Bundle" : `Bundle, ${vendor}`);
export const paused = "Paused";
export const nextOn = (day: string) => `Next ${day}`;
export const noNext = "No day planned";

export const problemsTitle = "Problems";
export const noProblems = "No problems reported.";
export const problemOpen = "Open";
export const problemSettled = "Settled";

export const contactTitle = "Contact";
export const email = "Email";
export const phone = "Phone";
export const none = "None";
export const copyEmail = "Copy the email address";
export const copyPhone = "Copy the phone number";
export const copied = (text: string) => `Copied: ${text}`;
export const notCopied = "It couldn’t be copied. Select the text and copy it.";
export const receives = "Receives";
export const pickupAt = (place: string) => `Pickup at ${place}`;
export const doorDelivery = "Door delivery";
export const noPlace = "No place chosen";
export const defaultAddress = "Default";
export const cards = "Cards";
export const noCards = "No card saved.";

export const factsTitle = "Account";
export const automatic = "Automatic orders";
export const automaticWords = { off: "Off", cart: "Everything in the cart", subscriptions: "Subscriptions only" };
export const emails = "Emails";
/** What they agreed to get. */
export const consentWords = ({ orderEmails, marketEmails }: { orderEmails: boolean; marketEmails: boolean }) =>
  orderEmails && marketEmails
    ? "About orders, and market news"
    : orderEmails
      ? "About orders only"
      : marketEmails
        ? "Market news only"
        : "None, unsubscribed";
export const texts = "Texts";
export const yes = "Yes";
export const no = "No";
export const diet = "Diet";
export const glutenFree = "Gluten-free";
export const vegan = "Vegan";
export const noDiet = "Nothing set";
export const pass = "Wagon pass";
export const passUntil = (day: string) => `Until ${day}`;
export const referredBy = "Referred by";

export const notesTitle = "Notes";
export const noNotes = "No notes. Only the staff sees them.";
export const noteBy = (by: string, time: string) => `${by}, ${time}`;
export const removeNote = "Remove";
export const removeNoteLabel = (text: string) => `Remove the note “${text}”`;
export const removingNote = "Removing…";

export const historyTitle = "History";
export const noHistory = "Nothing has happened yet.";
export const mailNamed = (name: string) => `Email “${name}”`;
export const otherMail = "Email";
export const otherChange = "Changed";
export const automatically = "automatic";
/** What was done, by the audit log's action. */
export const audits: Readonly<Record<string, string>> = {
  "credit grant": "Credit given",
  "grant_credit undo": "Credit taken back",
  "customers export": "Data exported",
  "customers delete": "Account deleted",
  "customers skip": "Skipping of a delivery day changed",
  "customers pause": "Automatic orders changed",
  "customers note": "Note added",
  "customers remove-note": "Note removed",
  "skip_delivery undo": "Change of a delivery day undone",
  "set_auto_checkout undo": "Change of automatic orders undone",
  "add_customer_note undo": "Note taken back",
  "remove_customer_note undo": "Note put back",
  "passes end": "Wagon pass ended",
};

// What can be done
export const verbs = "Actions";
export const verbCredit = "Give credit";
export const verbPause = "Pause orders";
export const pausing = "Pausing…";
export const verbResume = "Resume orders";
export const verbNote = "Note";
export const verbMore = "More";
export const verbExport = "Export data";
export const exporting = "Exporting…";
export const verbDelete = "Delete account…";
export const conflict = "Someone changed this customer a moment ago. Check what it says now, then try again.";
export const unknown = "We don’t know whether that was saved. Check it above, then try again: it’s done only once.";
export const cancel = "Cancel";

export const creditForm = "Give store credit";
export const creditAmount = "Amount";
export const creditAmountHint = (limit: string | null) =>
  limit === null
    ? "In dollars, like 20 or 12.50."
    : `In dollars, like 20. Your role can give at most ${limit} at once.`;
export const amountMissing = "Enter an amount, like 20 or 12.50.";
export const overLimit = (limit: string) => `Your role can give at most ${limit} at once. Ask a manager for more.`;
export const overMost = (most: string) => `At most ${most} at once.`;
export const reason = "Reason";
export const creditReasonHint = "For the ledger and the audit log.";
export const reasonMissing = "Give a reason.";
export const give = (amount: string | null) => (amount === null ? "Give credit" : `Give ${amount}`);
export const giving = "Giving…";
export const willWrite = "Ledger entries that this writes";
export const bookStoreCredit = "Store credit of the customer";
export const bookPromotions = "Promotions, paid by the market";
export const balanceAfter = (before: string, after: string) =>
  `Credit goes from ${before} to ${after}, and one email is sent.`;
export const giveSubject = (amount: string, name: string) => `Give ${name} ${amount}`;
export const giveEffect = (amount: string, name: string) =>
  `${name} gets ${amount} of store credit, which the market pays, and one email.`;

export const resumeForm = "Resume automatic orders";
export const resumeChoice = "Ordered automatically";
export const resume = "Resume";
export const resuming = "Resuming…";

export const noteForm = "Add a note";
export const noteText = "Note";
export const noteHint = "Only the staff sees it.";
export const noteMissing = "Write a note.";
export const addNote = "Add note";
export const adding = "Adding…";

export const exportSubject = (name: string) => `Export the data of ${name}`;
export const exportEffect = (name: string) =>
  `All data that the market has about ${name} is downloaded as one file. It’s written in the audit log.`;
export const exported = (file: string) => `Downloaded ${file}`;

export const deleteForm = (name: string) => `Delete the account of ${name}`;
/** Of what cannot be taken back, in one sentence. */
export const deleteEffect = (name: string, credit: string | null) =>
  `This deletes the account of ${name} for good${credit === null ? "" : `, and ${credit} of store credit is lost`}. Name, email, phone, addresses, cards and subscriptions are removed; orders stay for the books. It can’t be undone.`;
export const typeEmail = "Their email address, typed again";
export const typeEmailHint = (email: string) => `Type ${email}`;
export const emailDiffers = "Type the email address exactly as it’s shown.";
export const deleteReasonHint = "For the audit log.";
export const doDelete = (name: string) => `Delete ${name}`;
export const deleting = "Deleting…";
export const deleteSubject = (name: string) => `Delete ${name}`;
export const deleted = (name: string) => `The account of ${name} is deleted`;
export const keepAccount = "Keep account";
