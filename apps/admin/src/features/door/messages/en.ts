// Money at the door, in English.

import { pluralIn } from "@marketday/domain/message-format";
import { formatMoney } from "@marketday/ui/money.ts";

const plural = pluralIn("en");

export const loading = "money at the door";
export const notAllowed = "You can’t see the money of this day";
export const notAllowedHelp =
  "Your role doesn’t include changing the orders of this market. An owner can change that under Staff.";
export const failed = "Money at the door did not load";

// Beside the title
export const collectedOf = (paid: number, all: number) => `${formatMoney(paid)} of ${formatMoney(all)} collected`;
export const soFar = (amount: number, boxes: number) =>
  plural(boxes, {
    one: `${formatMoney(amount)} from ${boxes} box so far`,
    other: `${formatMoney(amount)} from ${boxes} boxes so far`,
  });
export const allCollected = (amount: number) => `All ${formatMoney(amount)} collected`;

// Before the orders close, and when there is nothing
export const notClosed = "Money is recorded once the orders have closed";
export const notClosedHelp = (time: string) =>
  `They close ${time}. Then this is a list for each driver, in the order of the stops.`;
export const closing = (time: string) => `They closed ${time} and are being frozen, which takes less than a minute.`;
export const nothing = "Nothing to collect at the door";
export const nothingHelp = "Every box of this day is paid by card or with store credit.";

// Lists
export const driver = (number: number) => `Driver ${number}`;
export const pickup = (name: string) => `Pickup: ${name}`;
export const noSheet = "On no sheet";
export const noSheetHelp = "No driver or pickup point has these boxes on the newest sheets.";
export const tickAll = (boxes: number) => `Tick all ${boxes}`;
export const tickAllOf = (group: string, boxes: number) => `Tick all ${boxes} of ${group}`;
export const untickAll = "Untick all";
export const untickAllOf = (group: string) => `Untick all of ${group}`;
export const ticked = (amount: number) => `${formatMoney(amount)} ticked`;
export const listOf = (group: string) => `Boxes of ${group}`;
export const stop = (number: number) => `Stop ${number}`;
export const order = (number: string) => `Order ${number}`;
export const deletedAccount = "Account deleted";
/** The name of a checkbox: "Tote 12, Jane Doe, $5.00" */
export const boxLabel = (tote: string, name: string, amount: number) => `${tote}, ${name}, ${formatMoney(amount)}`;
export const tote = (number: number) => `Tote ${number}`;
export const toCollect = "To collect";
export const owes = (amount: number) => `Owes ${formatMoney(amount)}`;
export const declined = "Card declined";
export const paid = "Paid";
export const paidBy = (name: string, time: string) => `${name}, ${time}`;
export const elsewhere = (amount: number) => `With ${formatMoney(amount)} for another day of the same checkout`;
export const undo = "Undo";
export const undoOf = (box: string) => `Undo the payment of ${box}`;
export const undoing = "Undoing…";
export const undone = (box: string, amount: number) => `${box} owes ${formatMoney(amount)} again.`;
export const undoUnknown = "We don’t know whether this was undone. Check the list, then try again.";

// The bar
export const boxesTicked = (count: number) =>
  plural(count, { one: `${count} box ticked`, other: `${count} boxes ticked` });
export const toCollectFrom = (boxes: number) =>
  plural(boxes, { one: `${boxes} box to collect from`, other: `${boxes} boxes to collect from` });
export const record = (boxes: number, amount: number) =>
  plural(boxes, {
    one: `Record ${boxes} payment, ${formatMoney(amount)}`,
    other: `Record ${boxes} payments, ${formatMoney(amount)}`,
  });
export const recording = "Recording…";
export const clear = "Clear";
export const clearTicks = "Clear all ticks";
export const bar = "What is ticked";
export const recordUnknown =
  "We don’t know whether the payments were recorded. Check the list, then try again: nothing is recorded twice.";

export const named = (box: string, name: string) => `${box}, ${name}`;
export const refusedBox = (box: string, reason: string) => `${box}: ${reason}`;
export const nothingRecorded = "Nothing was recorded.";
export const untickRefused = (boxes: number) => plural(boxes, { one: "Untick it", other: `Untick these ${boxes}` });

// What changed while a person was ticking
const goneTitle = (boxes: number) =>
  plural(boxes, {
    one: "A box that you had ticked is not ticked any more.",
    other: `${boxes} boxes that you had ticked are not ticked any more.`,
  });
const amountsTitle = (boxes: number) =>
  plural(boxes, {
    one: "The amount of a box that you have ticked changed.",
    other: `The amounts of ${boxes} boxes that you have ticked changed.`,
  });
/** Of boxes that lost their tick, and of those that keep it with another amount. */
export const changedTitle = (gone: number, amounts: number) =>
  [gone > 0 && goneTitle(gone), amounts > 0 && amountsTitle(amounts)].filter(Boolean).join(" ");
export const otherAmount = (box: string, name: string, now: number, was: number) =>
  `${box}, ${name}: ${formatMoney(now)} now, was ${formatMoney(was)}.`;
export const gonePaid = (box: string, name: string, by: string) => `${box}, ${name}: recorded by ${by}.`;
export const gonePaidByCommand = (box: string, name: string) => `${box}, ${name}: recorded in the meantime.`;
export const goneUnlisted = (order: string) => `${order}: nothing is to be collected any more.`;
export const andMore = (count: number) => `and ${count} more`;
export const you = "you";
export const ok = "OK";

export const onServer = "On the server";

// Keys
export const keyNext = "Next box";
export const keyPrevious = "Previous box";
export const keyAll = "Tick all boxes";
export const keysHelp = "Space ticks a box, J and K move, Shift with a click ticks a range.";
