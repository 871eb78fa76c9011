import { pluralIn } from "@marketday/domain/message-format";

const plural = pluralIn("en");

// The boxes of a day
export const boxes = "Boxes of this delivery day";
export const notAllowed = "You can’t see these boxes";
export const notAllowedHelp =
  "Your role doesn’t include the orders of this market. An owner can change that under Staff.";
export const failedBoxes = "The boxes didn’t load.";
export const filtersKept = "Your filter is kept.";
export const count = (shown: number, all: number) =>
  shown === all ? plural(all, { one: `${all} box`, other: `${all} boxes` }) : `${shown} of ${all}`;
export const noBoxes = "No boxes yet";
export const noBoxesNote = "Boxes show up here as soon as people order for this day.";
export const noneFound = (text: string) => `No box matches “${text}”`;
export const noneInView = {
  all: "No boxes yet",
  due: "Nothing to collect",
  declined: "No declined cards",
  cancelled: "No cancelled boxes",
};
export const boxesInAll = (all: number) =>
  plural(all, { one: `${all} box on this day.`, other: `${all} boxes on this day.` });
export const clearFilter = "Show all boxes";

export const views = "Filter by state";
export const viewNames = { all: "All", due: "To collect", declined: "Declined", cancelled: "Cancelled" };
export const find = "Find a box";
export const findHint = "Name, tote or number";

export const tote = "Tote";
export const order = "Order";
export const customer = "Customer";
export const where = "Where";
export const stop = "Stop";
export const items = "Items";
export const total = "Total";
export const money = "Money";
export const status = "Status";
export const notes = "Notes";
export const hasNotes = "Has a note";
export const changed = ", changed";
export const deletedAccount = "Account deleted";
export const place = (isPickup: boolean, where: string) => (isPickup ? `Pickup, ${where}` : `Door, ${where}`);
export const stopOf = (driver: number, stop: number) => `${driver}\u2009·\u2009${stop}`;
export const sumBoxes = (count: number) => plural(count, { one: `${count} box`, other: `${count} boxes` });
export const sumTotal = "Total";
export const sumDue = "To collect";
export const cancelledBoxes = (count: number) =>
  plural(count, { one: `${count} cancelled`, other: `${count} cancelled` });

export const statuses = { open: "Open", packing: "Packing", delivered: "Delivered", cancelled: "Cancelled" };
export const moneyStates = {
  none: () => "Nothing to pay",
  held: (amount: string) => `Held ${amount}`,
  due: (amount: string) => `Collect ${amount}`,
  declined: () => "Card declined",
  to_charge: (amount: string) => `Charge ${amount}`,
  paid: () => "Paid",
  back: (amount: string) => `Refund ${amount}`,
  back_failed: (amount: string) => `Refund ${amount} failed`,
  written_off: (amount: string) => `Written off ${amount}`,
};

// The panel of an order
export const orderNumber = (number: string) => `Order ${number}`;
export const placeInList = (place: number, count: number) => `${place} of ${count}`;
export const loadingOrder = "the order";
export const orderTitle = "Order";
export const noOrder = "No such order";
export const noOrderHelp =
  "There is no order with this number, or it belongs to a market whose orders you can’t see. Check the number.";
export const failedOrder = "The order didn’t load.";
export const goesTo = {
  pickup: (market: string, place: string) => `${market}, pickup at ${place}`,
  door: (market: string, place: string) => `${market}, door delivery, ${place}`,
  route: (driver: number, stop: number) => `driver ${driver} stop ${stop}`,
};
export const previousBox = "Previous box";
export const nextBox = "Next box";
export const closePanel = "Close the panel";
export const findKey = "Find a box";

export const box = "The box";
export const lineCount = (lines: number, units: number) =>
  `${plural(lines, { one: `${lines} line`, other: `${lines} lines` })}, ${plural(units, { one: `${units} item`, other: `${units} items` })}`;
export const storages: Readonly<Record<string, string>> = {
  ambient: "dry",
  dry: "dry",
  cold: "cold",
  cool: "cool",
  chilled: "cold",
  refrigerated: "cold",
  frozen: "frozen",
};
export const short = (quantity: number) => `short ${quantity}`;
export const before = "was ";
export const noLines = "Nothing is in this box.";
export const totalNow = "Total now";
export const paidWithCredit = "Paid with store credit";
/** After the vendor's name: ", cold" */
export const lineFacts = (facts: readonly string[]) => facts.map((fact) => `, ${fact}`).join("");
export const otherOrder = (number: string) => `added by order ${number}`;

export const steps = {
  held: (amount: string) => `Held ${amount}`,
  charged: (amount: string) => `Charged ${amount}`,
  collected: (amount: string) => `Collected ${amount}`,
  declined: (amount: string) => `Declined ${amount}`,
  refund: (amount: string) => `Refund ${amount}`,
  credit: (amount: string) => `${amount} paid by store credit`,
  written_off: (amount: string) => `Written off ${amount}`,
  to_charge: (amount: string) => `Charge ${amount}`,
  due: (amount: string) => `Collect ${amount}`,
};
export const refundToCredit = (amount: string) => `${amount} back as store credit`;
export const refundStates = {
  done: null,
  underway: "on its way",
  by_hand: "to give back by hand",
  failed: "failed: the card didn’t take it",
};
/** The rows of a receipt. */
export const receiptRows = {
  items: "Items",
  discount: "Discount",
  delivery: "Delivery",
  pickup: "Pickup",
  tip: "Tip",
  processing: "Card fee",
  tax: "Tax",
  waived: "Waived",
};
export const atCutoff = "when orders close";
export const notYet = "not yet";
export const noSteps = "No money has moved.";
export const atTheDoor = "at the door";

export const ledger = "Ledger";
export const ledgerNow = "Now";
export const ledgerSum = "Sum";
export const accounts: Readonly<Record<string, string>> = {
  shopper: "Customer’s account",
  provider: "Card",
  store_credit: "Store credit",
  gift_cards: "Gift cards",
  vendor: "Vendor",
  commission: "Commission",
  delivery_fees: "Delivery fee",
  card_fees: "Card fee",
  tax: "Sales tax",
  tips: "Tip",
  discounts: "Discount",
  promotions: "Promotion",
  refunds: "Refunds by the market",
  wagon_passes: "Wagon passes",
  payouts: "Payouts",
  write_offs: "Written off",
};
export const ledgerChanges: Readonly<Record<string, string>> = {
  sale: "Sale",
  edit: "Change",
  capture: "Charge",
  short: "Short",
  cancel: "Cancelled",
  refund: "Refund",
  credit: "Credit",
  goodwill: "Goodwill",
  compensation: "Compensation",
  payout: "Payout",
  write_off: "Written off",
  dispute: "Dispute",
};

export const facts = "Customer";
export const open = "Open";
export const openCustomer = "Open the customer";
export const orders = "Orders";
export const ordersSince = (orders: number, since: string | null) =>
  since === null ? `${orders}` : `${orders} since ${since}`;
export const storeCredit = "Store credit";
export const email = "Email";
export const phone = "Phone";
export const none = "None";
export const accountGone = "This customer deleted their account. The order stays for the books.";
export const note = "Note from the customer";

export const history = "History";
export const noHistory = "Nothing has happened yet.";
export const sendAgain = "Send again";
export const sendAgainLabel = (mail: string) => `Send again: ${mail}`;
export const sendingAgain = "Sending…";
export const mailNamed = (name: string) => `Email “${name}”`;
export const mailWaits = "not sent yet";
export const people = {
  staff: (who: string) => who,
  customer: "the customer",
  vendor: "the vendor",
  system: "automatic",
  cli: (who: string) => `${who}, on the server`,
};
/** What was done, by the audit log's action. */
export const audits: Readonly<Record<string, string>> = {
  "orders cancel": "Cancelled",
  "orders deliver": "Delivered",
  "orders undo-deliver": "Delivery undone",
  "orders move": "Moved to another day",
  "orders place": "Place changed",
  "orders place undo": "Place changed back",
  "orders note": "Note added",
  "orders note edit": "Note changed",
  "orders note remove": "Note removed",
  "orders note undo": "Note undone",
  "orders note send": "Note emailed",
  "refund_order undo": "Refund undone",
  "short_order undo": "Short undone",
  "move_order undo": "Move undone",
  "send_note undo": "Note not emailed: undone",
  "orders paid": "Marked paid",
  "orders undo-paid": "Payment undone",
  "orders refund": "Refund",
  "orders short": "Short",
  "orders write-off": "Written off",
  "orders resend": "Email sent again",
  "orders message": "Email written",
  "problems close": "Problem settled",
  "refunds close": "Refund settled by hand",
  "refunds send": "Refund sent again",
  "orders charge": "Card charged again",
  "cancel_order undo": "Cancellation undone",
  "resend_mail undo": "Email not sent again: undone",
  "short undo": "Short undone",
  short: "Short",
  refund: "Refund",
  dispute: "Disputed with the bank",
};
export const placedByAutoCheckout = "Placed by auto-checkout";
/** Steps of the order and of its money. */
export const events: Readonly<Record<string, string>> = {
  placed: "Placed",
  added: "Add-on placed",
  deleted: "Deleted by the customer",
  edited: "Changed by the customer",
  cancelled: "Cancelled",
  frozen: "On the sheets",
  delivered: "Delivered",
  held: "Card authorized",
  charged: "Card charged",
  collected: "Collected at the door",
  declined: "Card declined",
  refund: "Refund",
  credit: "Store credit",
  written_off: "Written off",
  released: "Authorization released",
  due: "To collect at the door",
  to_charge: "To charge when orders close",
  sale: "Booked as sold",
  edit: "Booking changed",
  capture: "Card charged",
  goodwill: "Goodwill",
  compensation: "Compensation to the vendor",
  write_off: "Written off",
  dispute: "Disputed with the bank",
  payout: "Paid to the vendor",
};

// What can be done
export const verbs = "Actions";
export const verbShort = "Short";
export const verbPaid = (amount: string) => `Mark ${amount} paid`;
export const verbCancel = "Cancel order";
export const recording = "Recording…";
export const noVerbs = "There is nothing to do with this order.";
export const paidRecorded = (amount: string) => `${amount} recorded as paid`;
export const paidConflict = (amount: string) => `The amount changed: it’s ${amount} now. Check it, then mark it paid.`;
export const paidElsewhere = (amount: string) => `It includes ${amount} for an order of another day.`;
export const paidGone = "It isn’t due any more. Someone may have recorded it.";
export const paidUnknown = "We don’t know whether the payment was recorded. Check the money above, then try again.";

export const cancelTitle = "Cancel this order";
export const reason = "Reason";
export const reasonHint = "For the audit log. The customer doesn’t see it.";
export const reasonMissing = "Give a reason.";
export const refundTo = "Money goes back to";
export const toCard = "The card";
export const toCredit = "Store credit";
export const planning = "Working out what goes back…";
export const planFailed = "What goes back couldn’t be worked out.";
export const effectCard = (amount: string) => `${amount} back to the card`;
export const effectCredit = (amount: string) => `${amount} to store credit`;
export const effectUncharged = (amount: string) => `${amount} isn’t charged`;
export const effectUncollected = (amount: string) => `${amount} isn’t collected at the door`;
export const effectBank = (amount: string) => `${amount} stays with the customer’s bank, in a dispute`;
export const effectEarlier = (amount: string) => `${amount} was given back before`;
export const effectNothing = "No money moves";
export const effectMails = (count: number) =>
  count === 0 ? "no emails" : plural(count, { one: `${count} email`, other: `${count} emails` });
export const nothingToCancel = "This order can’t be cancelled any more.";
export const doCancel = "Cancel order";
export const cancelEffect = (back: string) => `${back} goes back.`;
export const cancelling = "Cancelling…";
export const keepOrder = "Keep order";
export const cancelUnknown =
  "We don’t know whether the order is being cancelled. Check above, then try again: it’s cancelled only once.";
export const cancelConflict = (total: string, status: string) =>
  `Someone changed this order while you were typing. It’s ${total}, ${status} now. Check it, then cancel again.`;
export const cancelHeld = "The order is cancelled in 10 seconds. You can undo it.";

// Held actions
export const actionsTitle = "Recent actions";
export const undo = "Undo";
export const undoing = "Undoing…";
export const heldCancel = (seconds: number) => `Cancels in ${seconds} s`;
export const heldMail = (mail: string, seconds: number) => `${mail} goes out in ${seconds} s`;
export const heldShort = (seconds: number) => `A short is settled in ${seconds} s`;
export const runsCancel = "Cancelling…";
export const runsMail = (mail: string) => `Sending ${mail}…`;
export const refusedCancel = (problem: string) => `Not cancelled: ${problem}`;
export const refusedMail = (problem: string) => `Not sent: ${problem}`;
/** `amount`: of all of them. */
export const donePaid = (amount: string, by: string, others: number) =>
  others === 0
    ? `${amount} marked paid by ${by}`
    : `Marked paid by ${by} with ${plural(others, { one: `${others} other box`, other: `${others} other boxes` })}, ${amount} in all`;
/** Of boxes that were paid together, this one alone. */
export const undoBox = "Undo this box";
export const paidUndone = "Undone. The money of this box is due again.";
export const paidUndoUnknown = "We don’t know whether the payment was undone. Check the money below, then try again.";
export const you = "you";
export const tryAgain = "Try again";

// Forms of the verbs
/** P and M are for the selected orders, beside whose bar a panel can be open. */
export const verbKeys = { paid: "D", short: "S", refund: "R", note: "N", move: "V", cancel: "C" };
export const verbRefund = "Refund";
export const verbNote = "Note";
export const verbMove = "Move";
export const verbCharge = (amount: string) => `Charge ${amount} again`;
export const charging = "Charging…";
export const chargedAgain = (amount: string) => `${amount} charged`;
export const chargeUnknown =
  "We don’t know whether the card was charged. Check the money above: it’s charged only once.";
export const leaveForm = "Close";
export const holding = "Sending…";
export const saving = "Saving…";
export const verbConflict = "Someone changed this order while you were typing. Check it above, then send this again.";
export const verbUnknown =
  "The server didn’t answer. Check above whether it was done, then try again: it’s done only once.";
export const amount = "Amount";
export const ledgerPlanned = "Ledger, when it’s sent";
export const whoPays = "Who pays";
export const marketPays = "The market";
export const vendorPays = "The vendor";

export const refundTitle = "Refund a part";
export const refundTitleOf = (amount: string) => `Refund ${amount}`;
export const refundEffect = (amount: string, name: string) =>
  `${amount} goes back${name === "" ? "" : ` to ${name}`}, with an email.`;
export const refundAmount = (amount: string) => `Refund ${amount}`;
export const amountHint = "In dollars, like 7.94.";
export const amountMissing = "Enter an amount above zero, like 7.94.";
export const refundReasonHint = "The customer reads it in the email.";
export const ofWhichOrder = "Of which order";

export const shortTitle = "Short one item";
export const shortHint = "For this order only.";
export const toShorts = "Count an item for all boxes";
export const shortLine = "Item";
export const shortLineHint = "What didn’t all come.";
export const chooseLine = "Choose an item";
export const lineMissing = "Choose the item that is short.";
export const lineOption = (quantity: number, title: string, vendor: string) => `${quantity} × ${title}, ${vendor}`;
export const came = "How many came";
export const cameHint = (of: number | null) => (of === null ? "A whole number." : `Of ${of} that were ordered.`);
export const cameWrong = (of: number) =>
  of === 1 ? "Enter 0: none came." : `Enter a whole number from 0 to ${of - 1}.`;
export const shortReasonHint = "The customer reads it in the email. It may be empty.";
export const shortAmount = (units: number, back: string) => `Short ${units}, refund ${back}`;

export const staffNotes = "Notes of the staff";
export const noteTitle = "Add a note";
export const editNoteTitle = "Change the note";
export const noteFor = "For whom";
export const noteKinds = { inside: "Staff only", driver: "For the driver", shopper: "For the customer" };
export const noteKindHints = {
  inside: "Only people of the staff see it here.",
  driver: "It’s printed on the driver sheet, pack list and label.",
  shopper: "The customer sees it on the order’s page and in its emails.",
};
export const noteText = "Note";
export const noteMissing = "Write a note.";
export const mailNote = "Email it to the customer too";
export const saveNote = "Add note";
export const saveAndMail = "Add note and email it";
export const changeNote = "Change note";
export const noteNow = (text: string) => `It now says: “${text}”`;
export const noteRemoved = "Someone removed this note.";
export const noteEdited = "changed";
export const editNote = "Change";
export const editNoteOf = (text: string) => `Change: ${text}`;
export const removeNote = "Remove";
export const removeNoteOf = (text: string) => `Remove: ${text}`;
export const removingNote = "Removing…";
export const sendNote = "Email";
export const sendNoteOf = (text: string) => `Email: ${text}`;

export const moveTitle = "Move this order";
export const moveWhat = "Where to";
export const moveKinds = { pickup: "Pickup point", door: "Another address", day: "Another day" };
export const pickupPoint = "Pickup point";
export const pickupHint = "The customer isn’t emailed. A note can tell them.";
export const choosePoint = "Choose a pickup point";
export const noPoints = "No other pickup point is open";
export const pointMissing = "Choose a pickup point.";
export const pointOption = (name: string, address: string) => `${name}, ${address}`;
export const newDay = "Delivery day";
export const newDayHint = "A later day of this market. The customer is emailed.";
export const chooseDay = "Choose a day";
export const dayMissing = "Choose a day.";
export const street = "Street and number";
export const street2 = "Apartment, suite";
export const city = "City";
export const state = "State";
export const zipCode = "ZIP code";
export const instructions = "Directions";
export const instructionsHint = "How the driver finds the door.";
export const addressMissing = "Enter a street and number.";
export const cityMissing = "Enter a city.";
export const stateMissing = "Enter two letters, like IN.";
export const zipMissing = "Enter 5 digits, like 46032.";
export const doorEffect = "Prices stay as they are. The customer isn’t emailed.";
export const moveTo = (place: string) => `Move to ${place}`;
export const moveToAddress = "Move to this address";
export const placeFromTo = (from: string, to: string) => `From ${from} to ${to}.`;
export const placeFeeOff = (amount: string) => `${amount} for delivery comes off.`;
export const placeFeeKept = (amount: string) => `The ${amount} for delivery stays, because orders are closed.`;
export const placeOnSheets = "The sheets are made: the day shows what to print again.";
export const moveJoins = (id: number) => `It joins order ${id} of that day.`;
export const moveBeside = (id: number) => `It stays beside order ${id} of that day, which goes to another place.`;
export const moveNeedsCard = "The card isn’t saved, and its hold ends before that day: the email says to save one.";
export const moveSkipped = "The customer skipped that day.";
export const moveUnsold = (items: readonly string[]) => `Not on sale at present: ${items.join(", ")}.`;
export const movePrices = (mails: string) => `Prices stay as they are, ${mails}.`;
