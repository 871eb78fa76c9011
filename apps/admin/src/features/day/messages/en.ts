import { pluralIn } from "@marketday/domain/message-format";
import type { SheetChange } from "@marketday/domain/sheets";

const plural = pluralIn("en");

export const pageTitle = (market: string, day: string) => `${market}, ${day}`;
/** "Shorts, Carmel, Thursday, November 26" */
export const viewOf = (view: string, place: string) => `${view}, ${place}`;
/** Between the day and what there is to say of a screen: "Carmel, Thursday, November 26 · 3 to settle" */
export const separator = " · ";
export const views = "Screens of this delivery day";
export const viewNames = { day: "Day", boxes: "Boxes", shorts: "Shorts", door: "Money at the door" };
/** After the name of the tab, for screen readers */
export const shortsToSettle = (count: number) =>
  plural(count, { one: `, ${count} to settle`, other: `, ${count} to settle` });
export const loading = "the delivery day";
export const toToday = "Go to Today";
export const tryAgain = "Try again";
export const toBoxes = "Go to the boxes of this day";
export const notFound = "No such delivery day";
export const noMarket = "There is no market at this address.";
export const noDelivery = "This market doesn’t deliver on this date.";
export const daysNear = "Days near it";
export const notAllowed = "You can’t see this delivery day";
export const notAllowedHelp =
  "Your role doesn’t include running the delivery days of this market. An owner can change that under Staff.";

// What the day's state is, in one line
export const open = (time: string) => `Orders are open until ${time}.`;
export const timeLeft = (count: number, unit: "day" | "hour" | "minute") =>
  ({
    day: plural(count, { one: `${count} day left.`, other: `${count} days left.` }),
    hour: plural(count, { one: `${count} hour left.`, other: `${count} hours left.` }),
    minute: plural(count, { one: `${count} minute left.`, other: `${count} minutes left.` }),
  })[unit];
export const closing = (time: string) => `Orders closed ${time}. They are being frozen.`;
export const over = (time: string) => `Orders closed ${time}. The day is over, and no sheets were made.`;
export const skipped = (market: string) => `${market} skips this date. There is nothing to print.`;
export const closed = (time: string) => `Orders closed ${time}.`;
export const notMade = "No sheets yet.";
export const made = (version: number, time: string) => `Version ${version} made ${time}.`;
/** "1 AM Wednesday" */
export const timeOnDay = (time: string, day: string) => `${time} ${day}`;
export const timeToday = (time: string) => `${time} today`;

export const canBeMadeLater =
  "You can make the sheets when orders have closed. Until then, this is what has been ordered so far.";
export const waitForCutoff =
  "The server freezes the orders, which takes less than a minute. This page updates when it is done. If nothing happens, run this on the server:";
export const nothingToPrint = "No orders came in for this day. There is nothing to print.";

// The next thing to do
export const notMadeHeading = "The sheets are not made yet";
export const notMadeBody = (boxes: number) =>
  plural(boxes, { one: `${boxes} box waits for its sheets.`, other: `${boxes} boxes wait for their sheets.` });
export const stale = (version: number) => `Orders changed after version ${version}`;
export const staleBody = (version: number, next: number) =>
  `An order was cancelled, was shorted or got another address, and the sheets of version ${version} don’t show it. Version ${next} lists what changed. Totes, drivers and stops of all other orders stay the same.`;
export const otherDrivers = (drivers: number) =>
  plural(drivers, { one: `Plan the routes for ${drivers} driver`, other: `Plan the routes for ${drivers} drivers` });
export const otherDriversBody =
  "All routes are planned again. Then discard the older driver sheets, load lists and labels.";
export const ready = (version: number) => `Version ${version} is ready to print`;
export const readyBody =
  "“Print all” opens one PDF of everything on plain paper. Labels need label sheets: open them below.";
export const create = "Create sheets";
export const makeNext = (version: number) => `Make version ${version}`;
export const makeWithDrivers = (version: number, drivers: number) =>
  plural(drivers, {
    one: `Make version ${version} with ${drivers} driver`,
    other: `Make version ${version} with ${drivers} drivers`,
  });
export const making = "Making sheets…";
export const printAll = "Print all";
export const printOld = (version: number) => `Print version ${version}`;
export const madeAnnouncement = (version: number) => `The sheets of version ${version} are ready.`;
export const failed = (reason: string) => `No sheets were made. ${reason}`;
/** The answer did not arrive. */
export const unknown = "We don’t know whether the sheets were made. Check below, then try again.";
export const onServer = "On the server";
export const drivers = "Drivers";
export const driversInvalid = "Enter a whole number, like 4.";

// Facts
export const facts = "This day in numbers";
export const boxes = "Boxes";
export const units = "Items";
export const toCollect = "To collect";
export const vendors = "Vendors";

// Files
export const sheetsOfVersion = (version: number) => `Sheets, version ${version}`;
export const outOfDate = "Out of date: orders changed";
export const openPdf = (name: string) => `${name}, PDF, opens in a new tab`;
export const download = (name: string, kind: string) => `${name}, ${kind}`;
export const endings = { pdf: "PDF", csv: "CSV", zpl: "ZPL" };
export const forPackers = "Packers";
export const forDrivers = "Drivers and pickup points";
export const forVendors = "Vendors";
export const forLabels = "Labels";
export const forOlderPaper = "Everyone with older sheets";
export const sheetNames = {
  "pack-lists": "Pack lists",
  "fill-sheets": "Fill sheets",
  "load-lists": "Load lists",
  "driver-sheets": "Driver sheets",
  "pick-sheets": "Pick sheets",
  "labels-avery-5160": "Labels, Avery 5160",
  labels: "Labels for a Zebra printer",
  changes: "Changes",
};
export const sheetNotes = {
  "pack-lists": "What must be in each tote",
  "fill-sheets": "Which totes each vendor’s items go into",
  "load-lists": "Which totes to load, in order, and what waits at each pickup point",
  "driver-sheets": "Stops in driving order, with phone, notes and what to collect",
  "pick-sheets": "What to bring, one page per vendor",
  "labels-avery-5160": "30 per sheet. Print at 100%, not “fit to page”",
  labels: "4 × 2 inches, and a list for other printers",
  changes: "What each version changed, to correct sheets by hand",
};

// Only what changed
export const onlyChanges = "Only what changed";
export const changedSince = (version: number, totes: number) =>
  plural(totes, {
    one: `${totes} tote differs from version ${version}. Sheets of version ${version} stay right for all others.`,
    other: `${totes} totes differ from version ${version}. Sheets of version ${version} stay right for all others.`,
  });
export const nothingChanged = (version: number) => `No tote differs from version ${version}.`;
export const changedTotes = "Changed totes";
export const printChanges = "Print only what changed";
export const printChangesSince = (version: number) => `Print what changed since version ${version}`;
export const printChangedLabels = "Labels of these totes";
export const printChangedLabelsSince = (version: number) => `Labels of totes changed since version ${version}`;
export const zebra = (name: string) => `${name}, Zebra`;
export const olderPaper = "Still working from an older version?";

// Versions
export const versions = "Versions";
export const version = (number: number) => `Version ${number}`;
export const versionMade = (time: string) => `Made ${time}`;
export const versionNotMade = (time: string) => `Frozen ${time}. Its sheets were never made.`;
export const driverCount = (count: number) => plural(count, { one: `${count} driver`, other: `${count} drivers` });
export const firstVersion = "The orders as they were when they closed.";
export const noChanges = "The same totes, drivers and stops as before.";
export const printAgain = (number: number) => `Print version ${number} again`;
export const showChanges = (count: number) =>
  plural(count, { one: `Show ${count} change`, other: `Show ${count} changes` });
export const order = (number: string) => `order ${number}`;
export const deletedAccount = "Account deleted";
export const kinds: Record<SheetChange["kind"], string> = {
  cancelled: "Cancelled: set the tote aside",
  changed: "Contents changed",
  added: "New",
  moved: "New address",
  rerouted: "New driver or stop",
  noted: "New note",
  collect: "Amount to collect changed",
};
export const lineChange = (item: string, vendor: string, before: number, after: number) =>
  `${item} (${vendor}): ${after === 0 ? "none" : after}, was ${before === 0 ? "none" : before}`;
export const collectChange = (before: string, after: string) => `Collect ${after}, was ${before}`;
export const placeChange = (before: string, after: string) => `Was ${before}. Now ${after}.`;
export const removeFrom = (place: string) => `Remove from: ${place}.`;
export const stop = (driver: number, stop: number) => `Driver\u00A0${driver}, stop\u00A0${stop}`;
export const pickup = (name: string) => `Pickup: ${name}`;
export const noPlace = "set aside, no address";

// Vendors
export const vendorsOfDay = "Vendors of the day";
export const noVendors = "No orders yet";
export const noVendorsBody = "Vendors are listed here from the first order on.";
/** "11 of 14 here" */
export const hereOf = (here: number, all: number) => `${here} of ${all} here`;
export const confirmedOf = (confirmed: number, all: number) => `${confirmed} of ${all} confirmed`;
export const allHere = (count: number) => plural(count, { one: "The vendor is here", other: `All ${count} are here` });
export const othersHere = (count: number) =>
  plural(count, { one: "The other one is here too", other: `The other ${count} are here too` });
export const checkingIn = "Checking in…";
export const checkedIn = (count: number) =>
  plural(count, { one: "1 vendor checked in.", other: `${count} vendors checked in.` });
export const undo = "Undo";
export const here = "Here";
/** Of a button: it is pressed when the vendor is */
export const isHere = (vendor: string) => `Here: ${vendor}`;
export const confirm = "Confirmed";
export const hasConfirmed = (vendor: string) => `Confirmed: ${vendor}`;
export const everythingComes = "Confirmed what they bring";
/** What is known of a vendor: "Here 2:31 PM", on another day "Here 2:31 PM Wednesday" */
export const hereSince = (time: string) => `Here ${time}`;
export const vendorConfirmed = "Confirmed";
export const notConfirmed = "Not confirmed";
export const short = (items: number) => plural(items, { one: "1 short", other: `${items} short` });
export const shortSettled = (items: number) =>
  plural(items, { one: "1 short, settled", other: `${items} short, settled` });
/** "3 products, 12 items" */
export const bringing = (products: number, items: number) =>
  `${plural(products, { one: "1 product", other: `${products} products` })}, ${plural(items, { one: "1 item", other: `${items} items` })}`;
export const confirmedBy = (time: string, person: string) => `Confirmed ${time}, by ${person}.`;
export const checkedInBy = (time: string, person: string) => `Checked in ${time}, by ${person}.`;
export const itemsOf = (vendor: string) => `What ${vendor} brings`;
export const loadingItems = "what the vendor brings";
export const noItems = "Nothing of this vendor is ordered now.";
export const itemsFailed = "The items didn’t load.";
export const fewerCame = "Fewer came";
export const fewerCameOf = (item: string) => `Fewer came: ${item}`;
/** "9 of 12" */
export const cameOf = (came: number, of: number) => `${came} of ${of}`;
/** The name of a link: "Eggs: 9 of 12, settled" */
export const shortageOf = (item: string, came: number, of: number, state: string) =>
  `${item}: ${came} of ${of}, ${state.toLowerCase()}`;
export const keyNextVendor = "Next vendor";
export const keyPreviousVendor = "Previous vendor";
export const shortageStates = { counted: "To settle", held: "Settling", settled: "Settled" };
export const arrivalFailed = (reason: string) => `Nothing was changed. ${reason}`;
/** The answer did not arrive. */
export const arrivalUnknown = (vendor: string) =>
  `We don’t know whether the change to ${vendor} was saved. Check it, then try again.`;
/** A sentence about a vendor, on another screen */
export const named = (vendor: string, sentence: string) => `${vendor}: ${sentence}`;
export const undoUnknown = "We don’t know whether the check-in was taken back. Check the vendors, then try again.";
export const allUnknown = "We don’t know whether the vendors were checked in. Check them, then try again.";
