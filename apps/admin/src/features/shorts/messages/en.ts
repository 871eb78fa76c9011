import { pluralIn } from "@marketday/domain/message-format";

// Shorts of a delivery day, in English.

const plural = pluralIn("en");

export const loading = "the shortages";
export const notAllowed = "You can’t see the shortages of this day";
export const notAllowedHelp =
  "Your role doesn’t include changing orders of this market. An owner can change that under Staff.";
export const noItem = "Nothing of this item is ordered for this day";
export const noItemHelp = "It may have been cancelled since.";

// List
export const toSettleCount = (count: number) =>
  plural(count, { one: `${count} to settle`, other: `${count} to settle` });
export const noneToSettle = "Nothing to settle";
export const toSettle = "To settle";
export const counted = "Counted";
export const held = "Settling";
export const settled = "Settled";
export const everythingCame = "Everything came so far";
export const everythingCameHelp = "When fewer units of an item come than were ordered, count them here.";
export const nothingSoFar = "No shortage is counted";
export const nothingSoFarHelp = "When a vendor says that fewer will come, count them here: no more than that is sold.";
export const noOrders = "No orders yet";
export const noOrdersHelp = "There is nothing to count before something is ordered.";
export const chooseOne = "Choose a shortage, or add one.";
/** "9 of 12" */
export const cameOf = (came: number | string, of: number) => `${came} of ${of}`;
export const ofOrdered = (of: number) => `of ${of}`;
export const boxCount = (count: number) => plural(count, { one: `${count} box`, other: `${count} boxes` });
export const notSaved = "Not saved";
export const changed = "Changed, not saved";
export const wasRefused = "Not settled";
export const seeWhy = "Failed, open to see why";
export const sellsNoMore = (came: number) => `Sells no more than ${came}`;
/** "Ada, 1:20 PM" */
export const byAt = (name: string, time: string) => `${name}, ${time}`;
export const settlesIn = (seconds: number) => `Settles in ${seconds} s`;
export const settlingNow = "Settling now";
export const undo = "Undo";
export const undoOf = (item: string) => `Undo: ${item}`;
export const undoing = "Undoing…";

// Add
export const add = "Add";
export const addLabel = "Item, and how many came";
export const addHint = "eggs 9, or several: eggs 9, rye 3";
export const items = "Items of the day";
export const nothingFound = (text: string) => `No item matches “${text}”.`;
export const itemCount = (count: number) => plural(count, { one: `${count} item`, other: `${count} items` });
export const ordered = (count: number) => `${count} ordered`;
export const several = "What you typed";
export const noNumber = "how many came?";
export const namedTwice = "named twice";
export const addAll = (count: number) => `Add ${count}`;
export const closeAdd = "Close";

// Settle all
/** `effect`: "refund $23.82" */
export const settleAll = (count: number, effect: string) => `Settle all ${count}, ${effect}`;
export const settleSome = (count: number, effect: string) => `Settle ${count}, ${effect}`;
export const settleBack = (amount: string) => `refund ${amount}`;
export const settleLessOf = (amount: string) => `${amount} less to pay`;
export const settleNoneBack = "no refund";
export const notAll = (count: number) =>
  plural(count, {
    one: `${count} was not settled. Open it to see why.`,
    other: `${count} were not settled. Open each to see why.`,
  });
export const settleAllWaits = "Settle all";
export const notReady = (count: number) =>
  plural(count, { one: `${count} can’t be settled yet.`, other: `${count} can’t be settled yet.` });
export const keySettleAll = "Settle all";

// Detail
export const back = "All shortages";
export const came = "Units that came";
export const oneLess = "One less";
export const oneMore = "One more";
/** After the vendor: "Cluck & Co., $7.25 each, in 7 boxes" */
export const eachInBoxes = (each: string, count: number) =>
  plural(count, { one: `, ${each} each, in ${count} box`, other: `, ${each} each, in ${count} boxes` });
export const countedBy = (name: string, time: string) => `Counted by ${name}, ${time}`;
/** "Counted by Luis, 2:31 PM: “Short days, fewer eggs.”" */
export const withReason = (by: string, reason: string) => `${by}: “${reason}”`;
export const shortBy = (count: number) => plural(count, { one: `${count} short`, other: `${count} short` });
export const invalidCame = "Enter a whole number, like 9.";
export const moreThanOrdered = (ordered: number) => `Only ${ordered} are ordered. Enter ${ordered} or less.`;
export const allocateBy = "Allocate by";
export const byRule = "Everyone gets one before anyone gets two, then oldest order first";
export const byHand = "Set by hand";
export const backToRule = "Use the rule";
export const adjustWith = "Adjust with";
export const orderedNow = (now: number, before: number) =>
  `${now} are ordered now. When it was counted there were ${before}.`;

// Table
export const boxes = "Boxes with this item";
export const tote = "Tote";
export const customer = "Customer";
export const placed = "Placed";
export const subscription = "Subscription";
export const orderedHead = "Ordered";
export const gets = "Gets";
export const refund = "Refund";
export const noTote = "–";
export const hidden = "Name hidden";
export const deletedAccount = "Account deleted";
export const nothingBack = "–";
export const nothingBackWords = "nothing";
export const rowName = (name: string, tote: number | null) => (tote === null ? name : `Tote ${tote}, ${name}`);
export const unitsOrdered = (count: number) => `${count} ordered`;
export const giveLess = (name: string) => `One less for ${name}`;
export const giveMore = (name: string) => `One more for ${name}`;
export const getsNow = (name: string, units: number) => `${name} gets ${units}`;
export const toCard = "card";
export const toCredit = "Store credit";
export const atDoor = "at the door";
export const notCharged = "not charged";
export const byBank = "by the bank";
export const earlier = "given back before";

// Foot
export const shoppers = "Shoppers";
export const boxesLose = (boxes: number, units: number) =>
  boxes === 0
    ? "No box loses any"
    : plural(boxes, { one: `${boxes} box loses ${units}`, other: `${boxes} boxes lose ${units}` });
/** "$16.24 back to cards, $7.58 to store credit." Each amount is null when it is zero. */
export const backTo = ({
  card,
  credit,
  door,
  uncharged,
}: Readonly<Record<"card" | "credit" | "door" | "uncharged", string | null>>) => {
  const parts = [
    card !== null && `${card} back to cards`,
    credit !== null && `${credit} to store credit`,
    door !== null && `${door} less to collect`,
    uncharged !== null && `${uncharged} not charged`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "No money goes back." : `${parts.join(", ")}.`;
};
export const chargedLater = "Orders are not charged yet.";
export const refundTo = "Refund to";
export const refundToOptions = { card: "Card", credit: "Store credit" };
export const whoPays = "Who pays";
/** "Cluck & Co., $17.82" */
export const pays = (name: string, amount: string) => `${name}, ${amount}`;
export const market = "The market";
/** "Commission drops $3.93; tip, tax and fees $2.07." Each amount is null when it is zero. */
export const restOfMarket = (commission: string | null, rest: string | null) =>
  commission !== null && rest !== null
    ? `Commission drops ${commission}; tip, tax and fees ${rest}.`
    : commission !== null
      ? `Commission drops ${commission}.`
      : rest !== null
        ? `Tip, tax and fees drop ${rest}.`
        : "Nothing else changes.";
export const vendorKeeps = (name: string) => `${name} keeps its share.`;
export const bearers = { vendor: "Vendor", market: "Market" };
export const whoIsNotified = "Who is notified";
export const emails = (count: number) =>
  count === 0 ? "No emails" : plural(count, { one: `${count} email`, other: `${count} emails` });
export const emailsTo = (vendors: number) =>
  vendors === 0 ? "To shoppers whose box changes." : "To shoppers whose box changes, and to the vendor.";
export const reason = "Reason";
export const reasonHint = "For the record (optional)";
export const settle = (amount: string) => `Settle, refund ${amount}`;
export const settleLess = (amount: string) => `Settle, ${amount} less to pay`;
export const settleNoMoney = "Settle, no refund";
export const settlePlain = "Settle";
export const settling = "Settling…";
export const undoFor = "You can undo for 60 seconds";
export const saveCount = (came: number, of: number) => `Save ${came} of ${of}`;
export const savePlain = "Save";
export const saveForLater = "Save for later";
export const saving = "Saving…";
export const countSaved = (item: string, came: number, of: number) => `${item}: ${came} of ${of} is saved.`;
export const allCame = "All came";
export const removing = "Removing…";
export const removeCount = "All came: remove the count";
export const removed = (item: string) => `${item}: all came. The count is removed.`;
export const enterNumber = "Enter how many came.";
export const nothingShort = "All came: there is nothing to settle.";
export const toGive = (units: number) =>
  plural(units, { one: `${units} more to give`, other: `${units} more to give` });
export const tooMany = (units: number) =>
  plural(units, { one: `${units} too many given`, other: `${units} too many given` });
export const sumFirst = (left: number) => (left > 0 ? `Give ${left} more first.` : `Take ${-left} back first.`);
export const calculating = "Calculating what goes back…";
export const offlineReason = "You’re offline. What you typed is kept.";
export const planFailed = "The refund could not be calculated.";
export const openUntil = (time: string) =>
  `Orders are open until ${time}. This can be settled once they have closed. Until then, no more than this is sold.`;
export const beingClosed = "Orders are being closed. This can be settled in a moment.";

// Failures
export const failed = (reason: string) => `Nothing was settled. ${reason} What you typed is kept.`;
export const saveFailed = (reason: string) => `Nothing was saved. ${reason} What you typed is kept.`;
export const unknown = "We don’t know whether it was settled. What you typed is kept. Try again: it is not done twice.";
export const refusedHeading = "It was not settled";
export const refusedHelp = "Nothing went out. Change the shares or the order, then settle again.";
export const tryAgain = "Try again";

// Conflict
export const conflict = (name: string) => `${name} also counted this item`;
export const conflictRemoved = "Someone removed this count";
/** "Ada settled 9 of 12" */
export const conflictSettled = (name: string | null, value: string) =>
  name === null ? `${value} was settled` : `${name} settled ${value}`;
export const conflictHelp = "Choose which count stays.";
export const conflictSettledHelp = "You can count what is still ordered, or discard what you typed.";
export const dropYours = "Discard what you typed";
export const keepYours = (value: string) => `Keep yours: ${value}`;
export const takeTheirs = (value: string) => `Use ${value}`;
export const byRuleShort = "by the rule";
/** Units by box. */
export const byHandOf = (units: readonly string[]) => `by hand: ${units.join(", ")}`;
export const refundToWords = { card: "refund to cards", credit: "store credit" };
export const bearerWords = { vendor: "the vendor pays", market: "the market pays" };
export const reasonWords = (text: string) => (text === "" ? "no reason" : `“${text}”`);
export const typedMeanwhile = (value: string) =>
  `You typed ${value}. Undo first to change it, or discard what you typed.`;
export const discard = "Discard";

// Held and settled
export const heldBy = (name: string) => `By ${name}. No email and no money has left yet.`;
export const heldByYou = "No email and no money has left yet.";
export const settledHeading = "Settled";
export const settledAt = (time: string) => `${time}.`;
export const settledBy = (name: string, time: string) => `By ${name}, ${time}.`;
export const countAgain = "Count again";
export const countAgainHelp = (ordered: number) =>
  plural(ordered, {
    one: `${ordered} is still ordered.`,
    other: `${ordered} are still ordered.`,
  });

export const facts = "What settling does";
export const boxesFact = "Boxes that get less";
export const moneyBack = "Goes back";
export const emailsFact = "Emails";

// Keys
export const keyAdd = "Add a shortage";
export const keyLess = "One less: the number, or the box";
export const keyMore = "One more: the number, or the box";
export const keySettle = "Settle";
export const keyBack = "Back to the list";
export const keyNext = "Next shortage";
export const keyPrevious = "Previous shortage";
export const enter = "Enter";
/** Keys as they are printed. */
export const minus = "−";
export const plus = "+";
